import type { Tool } from '../define-tool.ts';
import { createEntry } from './entries/create-entry.ts';
import { getEntry } from './entries/get-entry.ts';
import { updateEntry } from './entries/update-entry.ts';

/** Every tool, in the order of the catalogue. Clients list them in this order. */
export const tools: readonly Tool[] = [getEntry, createEntry, updateEntry];
