import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { houseFile } from '@cloudhal/shared/house-file';
import { toolsJson } from '@cloudhal/tool-service/catalog';
import { tools } from '@cloudhal/tool-service/tools/index';
import { referencePages } from './pages.ts';

/** `npm run reference`: writes what the tables in the code say. */
const docs = houseFile('docs');
await mkdir(join(docs, 'reference'), { recursive: true });
for (const [name, text] of Object.entries(referencePages())) {
  await writeFile(join(docs, 'reference', name), text);
  console.log(`docs/reference/${name}`);
}
await writeFile(join(docs, '..', 'tool-service', 'tools.json'), toolsJson(tools));
console.log('tool-service/tools.json');
