import type { Effect, Mode } from '@cloudhal/shared/policy';

/** `small`: runs on its own if it is a small publish (`small-publish.ts`), else a person decides. */
export type Verdict = 'allow' | 'small' | 'person' | 'deny';

/** What each mode does with each effect of a tool. Read it by its columns; docs/adr/0015 explains it to people. */
export const modeMatrix: Record<Mode, Record<Effect, Verdict>> = {
  plan: {
    read: 'allow',
    view: 'allow',
    ask: 'allow',
    edit: 'deny',
    delete: 'deny',
    publish: 'deny',
    'auto-publish': 'deny',
    person: 'deny',
  },
  manual: {
    read: 'allow',
    view: 'allow',
    ask: 'allow',
    edit: 'person',
    delete: 'person',
    publish: 'person',
    'auto-publish': 'person',
    person: 'person',
  },
  edits: {
    read: 'allow',
    view: 'allow',
    ask: 'allow',
    edit: 'allow',
    delete: 'person',
    publish: 'person',
    'auto-publish': 'person',
    person: 'person',
  },
  auto: {
    read: 'allow',
    view: 'allow',
    ask: 'allow',
    edit: 'allow',
    delete: 'person',
    publish: 'person',
    'auto-publish': 'small',
    person: 'person',
  },
  bypass: {
    read: 'allow',
    view: 'allow',
    ask: 'allow',
    edit: 'allow',
    delete: 'allow',
    publish: 'allow',
    'auto-publish': 'allow',
    person: 'person',
  },
};

/** From the weakest to the strongest; a raise moves a call to the right, never to the left. */
const strength: readonly Effect[] = ['read', 'ask', 'view', 'edit', 'auto-publish', 'delete', 'publish', 'person'];

/** An effect that is not known counts as the strongest of all, and no rule allows it. */
export function strongest(a: Effect, b: Effect): Effect {
  return strengthOf(b) > strengthOf(a) ? b : a;
}

function strengthOf(effect: Effect): number {
  const index = strength.indexOf(effect);
  return index === -1 ? strength.length : index;
}

/** The effect as it is said to people. */
export const effectWords: Record<Effect, string> = {
  read: 'it reads',
  view: 'it previews',
  ask: 'it asks',
  edit: 'it edits a draft',
  delete: 'it deletes',
  publish: 'it changes what readers see',
  'auto-publish': 'it publishes',
  person: 'it always needs a person',
};
