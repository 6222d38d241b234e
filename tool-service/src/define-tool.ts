import type { Assessment } from '@cloudhal/shared/contracts';
import type { Effect, Scope } from '@cloudhal/shared/policy';
import { compile } from '@cloudhal/shared/schema';
import {
  budgets,
  type JsonSchema,
  type Pool,
  type ToolFacts,
  type ToolResult,
  type Toolset,
} from '@cloudhal/shared/tool';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Ask, Call } from './call.ts';
import type { Draft } from './graph/draft.ts';
import type { SiteList, View } from './graph/view.ts';
import { type Form, inputSchema, outputSchema } from './tool-schema.ts';

type Args = Record<string, unknown>;
export type Assessed = Static<typeof Assessment>;
/** What a handler returns; a write's `snapshot` and `changed` are filled in by whoever runs it. */
export type Answer<D = unknown> = Omit<ToolResult, 'data' | 'snapshot' | 'changed'> & { data: D };

/** How a tool runs, and on what: only a write is given a `Draft`. */
export type Handler =
  | { kind: 'view'; run(args: Args, view: View, call: Call): Promise<Answer> }
  | { kind: 'sites'; run(args: Args, sites: SiteList, call: Call): Promise<Answer> }
  | { kind: 'ask'; run(args: Args, ask: Ask, call: Call): Promise<Answer> }
  | {
      kind: 'write';
      /** Holds the site for the whole of `run`: for what reads widely and must not be overtaken. */
      exclusive: boolean;
      prepare?(args: Args, view: View, call: Call): Promise<unknown>;
      run(args: Args, draft: Draft, call: Call, prepared: unknown): Promise<Answer>;
      assess?(args: Args, draft: Draft, dry: Assessed, answer: Answer): Promise<Partial<Assessed>>;
      due?(args: Args, draft: Draft, call: Call): Promise<Answer>;
    };

/** A row of the tool table: what others know, and what runs. */
export type Tool = {
  facts: ToolFacts;
  /** Throws `validation_failed`; nothing is coerced. */
  check: (args: unknown) => void;
  handler: Handler;
};

type Declared<I extends TObject, O extends TSchema> = {
  name: string;
  title: string;
  /** At most 2 KB; one or two sentences. Says what to know before calling, not how it is built. */
  description: string;
  /** All of them are needed. */
  scopes: Scope[];
  input: I;
  /** The schema of `data`; what surrounds it is added. */
  output: O;
  toolsets?: Toolset[];
  pool?: Pool;
  /** Its result carries text from strangers, in `data.untrusted`. */
  untrusted?: boolean;
};

type Hints = { destructive: boolean; idempotent: boolean; openWorld?: boolean };

/** A tool that only reads one site. */
export function readTool<I extends TObject, O extends TSchema>(
  tool: Declared<I, O> & { run(args: Static<I>, view: View, call: Call): Promise<Answer<Static<O>>> },
): Tool {
  return make(tool, 'read', 'page', readOnly, { kind: 'view', run: tool.run as never });
}

/** A tool that only reads, and concerns more than one site. */
export function sitesTool<I extends TObject, O extends TSchema>(
  tool: Declared<I, O> & { run(args: Static<I>, sites: SiteList, call: Call): Promise<Answer<Static<O>>> },
): Tool {
  return make(tool, 'read', 'page', readOnly, { kind: 'sites', run: tool.run as never });
}

/** A tool that changes nothing in the graph but does something: makes a link, an upload address, a rendering. */
export function viewTool<I extends TObject, O extends TSchema>(
  tool: Declared<I, O> & {
    effect?: 'view' | 'ask';
    hints: Hints & { readOnly: boolean };
    run(args: Static<I>, view: View, call: Call): Promise<Answer<Static<O>>>;
  },
): Tool {
  return make(tool, tool.effect ?? 'view', 'page', tool.hints, { kind: 'view', run: tool.run as never });
}

/** A tool whose change is one snapshot. */
export function writeTool<I extends TObject, O extends TSchema, P = undefined>(
  tool: Declared<I, O> & {
    effect: Exclude<Effect, 'read' | 'view' | 'ask'>;
    hints: Hints;
    /** Holds the site while `run` reads and changes: for changes that follow from many nodes. */
    exclusive?: boolean;
    /** Slow work (a download, decoding), outside any transaction; its result reaches `run`. Not done for an assessment. */
    prepare?(args: Static<I>, view: View, call: Call): Promise<P>;
    run(args: Static<I>, draft: Draft, call: Call, prepared: P): Promise<Answer<Static<O>>>;
    /**
     * The risk depends on the change: policy asks before it decides. `true` raises the effect to the strongest in the
     * computed change; a function may add to what was computed (`dry`), with the draft as `run` left it and what it answered.
     */
    assess?: true | ((args: Static<I>, draft: Draft, dry: Assessed, answer: Answer) => Promise<Partial<Assessed>>);
    /** What the call had planned for a later time, when that has come: run under a permit of its own, holding the site. */
    due?(args: Static<I>, draft: Draft, call: Call): Promise<Answer>;
  },
): Tool {
  const { assess, due, prepare, run } = tool;
  return make(
    tool,
    tool.effect,
    'change',
    { readOnly: false, ...tool.hints },
    {
      kind: 'write',
      exclusive: tool.exclusive ?? false,
      ...(prepare && { prepare: prepare as never }),
      run: run as never,
      ...(typeof assess === 'function' && { assess: assess as never }),
      ...(due && { due: due as never }),
    },
    assess !== undefined,
  );
}

/** A tool of group 16: the service that owns the answer gives it. */
export function askTool<I extends TObject, O extends TSchema>(
  tool: Declared<I, O> & {
    effect: 'read' | 'ask';
    idempotent?: boolean;
    run(args: Static<I>, ask: Ask, call: Call): Promise<Answer<Static<O>>>;
  },
): Tool {
  const reads = tool.effect === 'read';
  const hints = { readOnly: reads, destructive: false, idempotent: tool.idempotent ?? reads };
  return make(tool, tool.effect, 'page', hints, { kind: 'ask', run: tool.run as never });
}

const readOnly = { readOnly: true, destructive: false, idempotent: true };

function make(
  tool: Declared<TObject, TSchema>,
  effect: Effect,
  form: Form,
  hints: Hints & { readOnly: boolean },
  handler: Handler,
  assessed = false,
): Tool {
  const pool = tool.pool ?? 'content';
  const input: JsonSchema = inputSchema(tool.input, handler.kind === 'write');
  let check: ((args: unknown) => void) | undefined;
  return {
    facts: {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: input,
      outputSchema: outputSchema(tool.output, form),
      annotations: {
        readOnlyHint: hints.readOnly,
        destructiveHint: hints.destructive,
        idempotentHint: hints.idempotent,
        openWorldHint: hints.openWorld ?? false,
      },
      effect,
      scopes: tool.scopes,
      pool,
      toolsets: tool.toolsets ?? [],
      assessed,
      untrusted: tool.untrusted ?? false,
      mutates: handler.kind === 'write',
      budgetMs: pool === 'render' ? budgets.render : handler.kind === 'write' ? budgets.mutation : budgets.read,
    },
    // Compiled when it is first needed: a hundred schemas at once would make every start slower.
    check(args) {
      check ??= compile<Args>(input);
      check(args);
    },
    handler,
  };
}

/** The input of a tool. What is not declared is refused. */
export function Input<P extends Parameters<typeof Type.Object>[0]>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}
