import { readFileSync } from 'node:fs';
import { houseFile } from '@cloudhal/shared/house-file';

/** The version of this package. */
export const version: string = JSON.parse(readFileSync(houseFile('package.json'), 'utf8')).version;
