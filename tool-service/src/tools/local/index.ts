import type { Tool } from '../../define-tool.ts';
import { exportNodes } from './export-nodes.ts';
import { restoreNodes } from './restore-nodes.ts';

/** Tools of commands at this machine; their names are in `localToolNames`, and no client lists or calls them. */
export const localTools: readonly Tool[] = [exportNodes, restoreNodes];
