import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { houseFile } from '@cloudhal/shared/house-file';
import { expect, test } from 'vitest';
import { referencePages } from './pages.ts';

test.each(Object.entries(referencePages()))(
  'docs/reference/%s says what the code says; else run npm run reference',
  (name, text) => {
    expect(readFileSync(join(houseFile('docs'), 'reference', name), 'utf8')).toBe(text);
  },
);
