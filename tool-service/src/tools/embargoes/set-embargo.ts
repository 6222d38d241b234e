import { fail } from '@cloudhal/shared/errors';
import { readInstant } from '@cloudhal/shared/instant';
import { quote } from '@cloudhal/shared/quote';
import { kindName } from '../../changes/title.ts';
import { variantsOf } from '../../content/translations.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { ownEmbargoes } from '../../embargoes/embargoes.ts';
import { NodeId, Reason, Rev, Site, TimeArg, TimeZoneArg } from '../arguments.ts';
import { nameOf } from '../untrusted.ts';
import { EmbargoData, embargoable, heldNode } from './embargo-data.ts';

export const setEmbargo = writeTool({
  name: 'set_embargo',
  title: 'Set an embargo',
  description:
    'Until then nothing shows the page or entry to readers: no publish, release or rollback. A later time runs like an edit, an earlier one waits for a person. Take what is live off first.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial', 'release'],
  hints: { destructive: false, idempotent: true },
  exclusive: true,
  input: Input({
    site: Site,
    node: NodeId,
    rev: Rev('get_page or get_entry'),
    until: TimeArg('ISO 8601: when readers may see it.'),
    timeZone: TimeZoneArg,
    reason: Reason,
  }),
  output: EmbargoData,
  async run({ node: id, rev, until: asked, timeZone, reason }, draft, call) {
    const node = await embargoable(draft, id, rev);
    const until = readInstant(asked, timeZone, 'until');
    const now = call.now();
    if (until <= now) throw fail('validation_failed', { path: 'until', expected: 'a time that is still to come' });
    // A translation that readers see says what the original says.
    const shown = await variantsOf(draft, node, (await draft.head()).locales, { track: 'live' });
    if (shown.size > 0) {
      const by = [...shown.values()].map((live) => `${live.id} on the live site; take it off with unpublish first`);
      throw fail('in_use', { node: id, by });
    }
    const present = (await ownEmbargoes(draft, [id], now)).get(id);
    // An approval, and an edit that needed none, hold for the embargo that was looked at.
    draft.binds({ embargo: present ?? null });
    const data = { node: node.id, until: until.toISOString() };
    if (present === data.until) return { data, rev: node.rev };
    draft.touch({ id, rev: node.rev });
    draft.write(
      `INSERT INTO tools.embargo (site_id, node_id, until, reason, set_by) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (site_id, node_id) DO UPDATE SET until = excluded.until, reason = excluded.reason,
         set_by = excluded.set_by, set_at = clock_timestamp()`,
      [id, until, reason, call.principal.name],
    );
    return { data, rev: node.rev };
  },
  async assess({ node: id, until: asked, timeZone, reason }, draft) {
    const [node, { title }] = await Promise.all([draft.node(id), draft.head()]);
    const until = readInstant(asked, timeZone, 'until').toISOString();
    const present = (await ownEmbargoes(draft, [id])).get(id);
    const earlier = present !== undefined && until < present;
    const name = `${kindName(node)} ${nameOf(node)}`;
    return {
      nodes: 1,
      ...(earlier && { effect: 'person', reasons: [`It ends an embargo earlier: ${until} instead of ${present}.`] }),
      summary: {
        title: `${earlier ? 'End' : 'Set'} the embargo of ${name} on ${quote(title)} ${earlier ? 'earlier, at' : 'until'} ${until}`,
        lines: [...(present === undefined ? [] : [`Now until ${present}.`]), `Reason given: ${quote(reason, 300)}`],
        diff: [heldNode(node)],
      },
    };
  },
});
