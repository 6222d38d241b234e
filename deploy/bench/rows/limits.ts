import type { Bench, Rows } from '../bench.ts';
import { drive } from '../harness.ts';
import { startLimit } from '../limit-process.ts';
import { toolCall } from '../mcp.ts';
import { plainRow, type Row } from '../report.ts';

/** What the protocol alone costs on this machine: nothing to pass or fail, but what the other rows stand on. */
export const limits: Rows = {
  name: 'limits',
  async measure({ timing: { ms, warmUp } }: Bench) {
    const rows: Row[] = [];
    for (const name of ['bare', 'sdk', 'sdk100']) {
      const limit = await startLimit(name);
      try {
        const call = toolCall('tool_0', { entry: 'something' });
        const subject = { url: limit.url, call: () => call, check: () => undefined, pids: () => [limit.pid] };
        await drive(subject, { inFlight: 16, calls: warmUp });
        const { p50, callsPerSecond, cpu, others } = await drive(subject, { inFlight: 16, ms });
        const note = `${Math.round(callsPerSecond)} calls/s, ${Math.round(cpu)} µs CPU a call`;
        rows.push(plainRow(`${name} by itself: p50`, 'ms', p50, { others, note }));
      } finally {
        await limit.stop();
      }
    }
    return rows;
  },
};
