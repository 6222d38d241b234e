import type { Permit } from '@cloudhal/shared/permit';
import type { ToolResult } from '@cloudhal/shared/tool';
import type { Capabilities } from './capabilities.ts';

/** The call that a handler works for. */
export type Call = {
  id: string;
  tool: string;
  principal: Permit['principal'];
  /** The sites that the principal may see. */
  sites: readonly string[] | '*';
  scopes: Permit['scopes'];
  mode: Permit['mode'];
  skill?: Permit['skill'];
  approval?: Permit['approval'];
  /** The permit itself, to be shown to policy-service later; none while a call is only assessed. */
  permit?: string;
  /** Aborts when the budget is spent: pass it to whatever can be slow. */
  signal: AbortSignal;
  /** The time by the store's clock. */
  now(): Date;
  /** What reaches outside the graph. */
  can: Capabilities;
};

/** How a handler of group 16 asks the service that owns the answer; the permit goes along. */
export interface Ask {
  policy(args: Record<string, unknown>): Promise<ToolResult>;
  audit(args: Record<string, unknown>): Promise<ToolResult>;
  skills: {
    list(): Promise<{ name: string; title: string; description: string; scopes: string[]; digest: string }[]>;
    read(name: string, path: string): Promise<{ text: string; mimeType: string }>;
  };
}
