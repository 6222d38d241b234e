import { deploymentChain } from '@cloudhal/shared/audit-event';
import type { SiteRulesChange } from '@cloudhal/shared/contracts';
import { cut } from '@cloudhal/shared/cut';
import type { Queryable } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import type { Principal } from '@cloudhal/shared/policy';
import type { Static } from 'typebox';
import { isValidWindow } from './publishing-window.ts';
import { actorOf, serviceName } from './record.ts';
import { change, type Room } from './room.ts';
import { defaultSiteRules, type SiteRules } from './site-rules.ts';

/** What holds on a site. A site that nobody has said anything about has the defaults. */
export async function readSiteRules(database: Queryable, site: string): Promise<SiteRules> {
  const [row] = await database.query<{ rules: Partial<SiteRules> }>(
    'SELECT rules FROM policy.site_rules WHERE site = $1',
    [site],
    { name: 'policy.site_rules' },
  );
  return { ...defaultSiteRules, ...row?.rules };
}

/** Changes the rules of a site; only an owner may. What is not named stays, `null` takes the window away. */
export async function saveSiteRules(
  room: Room,
  owner: Principal,
  site: string,
  wish: Static<typeof SiteRulesChange>,
): Promise<SiteRules> {
  mustOwn(owner);
  const visible = await room.sites.visible(owner, 2_000);
  if (!visible.some(({ id }) => id === site)) throw fail('not_found', { what: 'site', id: cut(site, 96) });
  if (wish.publishingWindow && !isValidWindow(wish.publishingWindow)) {
    throw fail('validation_failed', { path: 'publishingWindow', expected: 'a known time zone and times of a clock' });
  }
  return await change(room, async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('policy.site_rules:' || $1, 0))`, [site]);
    const [row] = await tx.query<{ rules: Partial<SiteRules> }>('SELECT rules FROM policy.site_rules WHERE site = $1', [
      site,
    ]);
    const before = { ...defaultSiteRules, ...row?.rules };
    const { publishingWindow, ...kept } = { ...row?.rules, ...wish };
    const rules = { ...kept, ...(publishingWindow && { publishingWindow }) };
    await tx.query(
      `INSERT INTO policy.site_rules (site, rules, updated_by) VALUES ($1, $2, $3)
       ON CONFLICT (site) DO UPDATE SET rules = $2, updated_by = $3, updated_at = now()`,
      [site, JSON.stringify(rules), owner.id],
    );
    const after = { ...defaultSiteRules, ...rules };
    await putInOutbox(
      tx,
      'policy',
      auditEvent(serviceName, {
        type: 'config.site_rules',
        site: site || deploymentChain,
        actor: actorOf(owner),
        details: { before, after },
      }),
    );
    return after;
  });
}

/** The developer at a local server owns all of it. */
function mustOwn({ kind, role }: Principal): void {
  if (kind === 'local' || (kind === 'person' && role === 'owner')) return;
  throw fail('forbidden', { needs: 'an owner' });
}
