import type { Mode } from '@cloudhal/shared/policy';

export type Args = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: what a tool answered; the story knows its shape.
export type Data = any;

/** What the story has come to: each thing by its name, with its id and the rev that it has now. */
export type Made = Record<string, { id: string; rev: number; snapshot: string; data: Data }>;

/** Where the story happens, for what is done outside of it: a reader writes a comment, a file is uploaded. */
export type Outside = {
  /** Where the gateway is, without a slash at the end. */
  url: string;
  /** The site's id and slug. */
  site: string;
  slug: string;
  /** A picture that somebody else has on the web. */
  pictureUrl: string;
  /** A call of the agent whose turn it is; what it was refused with where it was. */
  call(tool: string, args: Args): Promise<{ result?: { data: Data; rev?: number }; details?: Data }>;
};

/** One call of the story; the first of each tool is shown in the reference. */
export type Example = {
  tool: string;
  arguments?: (made: Made) => Args;
  /** The name under which what it answers is kept. */
  as?: string;
  /** What this very call takes, where its arguments or its change raise the tool's own effect. */
  raisedTo?: 'delete' | 'publish' | 'person';
  /** The error that says that it ran, in a mode in which there is nothing for it to do. */
  answersWith?: Partial<Record<Mode, string>>;
  /** Done right before the call. */
  before?: (outside: Outside, made: Made) => Promise<void>;
};

export function remember(made: Made, name: string, result: { data: Data; rev?: number; snapshot?: string }): void {
  const held = made[name];
  const { data, rev = data?.rev ?? held?.rev ?? 0, snapshot = held?.snapshot ?? '' } = result;
  made[name] = { id: String(data?.id ?? held?.id ?? ''), rev, snapshot, data };
}
