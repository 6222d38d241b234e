import { Type } from 'typebox';
import { maxOps, patchBlocks } from '../../body/patch-blocks.ts';
import { saveBody } from '../../content/entries.ts';
import { getInLocale } from '../../content/translations.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Choice, DryRun, EntryRef, LocaleArg, Note, Rev, Site } from '../arguments.ts';
import { changedBody } from './changed-blocks.ts';
import { ChangedBody, entryHead } from './entry-data.ts';

const Op = Type.Object(
  {
    op: Choice(['insert', 'replace', 'move', 'remove'], 'What to do.'),
    block: Type.Optional(Type.String({ maxLength: 64, description: 'The block to replace, move or remove.' })),
    after: Type.Optional(
      Type.String({ maxLength: 64, description: 'Where insert and move put it: after this block, or start or end.' }),
    ),
    content: Type.Optional(Type.String({ maxLength: 409_600, description: 'Markdown of insert and replace.' })),
  },
  { additionalProperties: false },
);

export const patchDraft = writeTool({
  name: 'patch_draft',
  title: 'Patch a body by blocks',
  description:
    'Inserts, replaces, moves and removes blocks of a body by their ids, which get_entry gives with bodyFormat blocks. All ops apply in order, or none.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['core', 'editorial'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    entry: EntryRef,
    rev: Rev('get_entry'),
    ops: Type.Array(Op, { minItems: 1, maxItems: maxOps, description: 'Ops in order.' }),
    locale: LocaleArg,
    dryRun: DryRun,
    note: Note,
  }),
  output: ChangedBody,
  async run({ entry, rev, ops, locale }, draft, { principal }) {
    const before = await getInLocale(draft, 'entry', entry, locale);
    const patch = ({ body, blocks }: typeof before.body) => {
      const { markdown, ids } = patchBlocks(body, blocks, ops);
      return { body: markdown, blocks: ids };
    };
    const after = await saveBody(draft, before.id, rev, patch, principal.kind === 'person');
    return { data: { ...entryHead(after), ...changedBody(before, after) }, rev: after.rev };
  },
});
