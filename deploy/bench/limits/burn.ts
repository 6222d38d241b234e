/** Work for one CPU and nothing else: some milliseconds of text for each request. */
import { serve } from './announce.ts';

const words = Array.from({ length: 20_000 }, (_, at) => `word${(at * 7_919) % 20_011}`);

serve((request, response) => {
  request.resume();
  request.on('end', () => {
    const sorted = words.map((word) => word.split('').reverse().join('')).sort();
    const body = JSON.stringify({ first: JSON.parse(JSON.stringify(sorted))[0] });
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
});
