import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { deadEnds, redirectBody, refuseDetours } from '../../content/redirects.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Note, Rev, Site } from '../arguments.ts';
import { RedirectData, RedirectRef, redirectData, StatusArg, ToArg } from './redirect-data.ts';

export const updateRedirect = writeTool({
  name: 'update_redirect',
  title: 'Change a redirect',
  description: 'Gives a redirect another target or status; a person decides.',
  effect: 'person',
  scopes: ['redirects:write'],
  toolsets: ['release'],
  hints: { destructive: false, idempotent: true },
  exclusive: true,
  input: Input({
    site: Site,
    redirect: RedirectRef,
    rev: Rev('list_redirects'),
    set: Type.Object({ to: ToArg, status: StatusArg }, { additionalProperties: false, description: 'What to set.' }),
    note: Note,
  }),
  output: RedirectData,
  async run({ redirect, rev, set }, draft) {
    if (Object.keys(set).length === 0)
      throw fail('validation_failed', { path: 'set', expected: 'a target or a status' });
    const node = await draft.save('redirect', redirect, rev, ({ from, ...before }) => {
      const status = set.status ?? before.status;
      const to = set.to ?? (status === 410 ? undefined : before.to);
      return redirectBody(draft, { from, status, ...(to !== undefined && { to }) }, 'set');
    });
    await refuseDetours(draft, node.body);
    const warnings = await deadEnds(draft, [node.body]);
    return { data: redirectData(node), rev: node.rev, ...(warnings.length > 0 && { warnings }) };
  },
  async assess(_, draft, dry) {
    const bodies = draft.changes.flatMap(({ after }) => (after?.kind === 'redirect' ? [after.body as never] : []));
    return { summary: { ...dry.summary, lines: [...dry.summary.lines, ...(await deadEnds(draft, bodies))] } };
  },
});
