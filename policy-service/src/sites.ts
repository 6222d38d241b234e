import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@cloudhal/shared/bus/bus';
import { sites as listSites, type SiteBrief } from '@cloudhal/shared/contracts';
import { cut } from '@cloudhal/shared/cut';
import { fail } from '@cloudhal/shared/errors';
import type { Principal } from '@cloudhal/shared/policy';
import type { Static } from 'typebox';

export type Site = Static<typeof SiteBrief>;
type Arguments = Record<string, unknown>;

export type Sites = {
  /**
   * The sites that a principal may see, at most 5 s old, or older where nobody tells anew; with `since`, no older than
   * that moment. Rejects with `tool_unavailable`.
   */
  visible(principal: Pick<Principal, 'sites'>, timeoutMs: number, since?: number): Promise<Site[]>;
};

const keptMs = 5_000;
/** Whoever looks for what is not there waits for the next look, and there is no more than one in this time. */
const betweenMs = 500;

export function siteDirectory(bus: Bus): Sites {
  let kept: { sites: Site[]; asOf: number } | undefined;
  let reading: Promise<void> | undefined;

  async function read(timeoutMs: number): Promise<void> {
    const asOf = performance.now();
    try {
      const { sites } = await bus.request(listSites, {}, { timeoutMs });
      kept = { sites, asOf };
    } catch {
      throw fail('tool_unavailable');
    }
  }

  return {
    async visible({ sites: reach }, timeoutMs, since) {
      const asOf = since ?? performance.now() - keptMs;
      while (kept === undefined || kept.asOf < asOf) {
        const nextAt = kept === undefined ? 0 : kept.asOf + betweenMs;
        if (performance.now() < nextAt) await sleep(nextAt - performance.now());
        if (kept !== undefined && kept.asOf >= asOf) break;
        reading ??= read(timeoutMs).finally(() => {
          reading = undefined;
        });
        try {
          await reading;
        } catch (error) {
          // A worker that hangs is no reason to stop all calls: sites stay, and who may see them is said by the principal.
          if (kept === undefined || since !== undefined) throw error;
          break;
        }
      }
      return reach === '*' ? kept.sites : kept.sites.filter((site) => reach.includes(site.id));
    },
  };
}

/** The site that a call names, by `fillSite`. */
export async function findSite(
  sites: Sites,
  { tool, args, principal }: { tool: string; args: Arguments; principal: Principal },
  timeLeft: () => number,
): Promise<{ args: Arguments; site?: Site }> {
  const askedAt = performance.now();
  const known = await sites.visible(principal, timeLeft());
  if (isAmong(known, tool, args.site)) return fillSite(tool, args, known);
  // It may have been made a moment ago.
  return fillSite(tool, args, await sites.visible(principal, timeLeft(), askedAt));
}

function isAmong(known: readonly Site[], tool: string, named: unknown): boolean {
  if (typeof named === 'string') return known.some(({ id, slug }) => id === named || slug === named);
  return known.length > 0 || siteMayBeMissing.has(tool);
}

/** These answer for all sites of the key when none is named. */
const siteMayBeMissing: ReadonlySet<string> = new Set(['get_mode', 'request_elevation', 'list_activity']);

/**
 * Names the site in the arguments by its id: the one that they name by id or slug, else the only one that the principal
 * sees. What is not text is left for the validation.
 */
function fillSite(tool: string, args: Arguments, visible: readonly Site[]): { args: Arguments; site?: Site } {
  if (args.site === undefined) {
    const [only] = visible;
    if (visible.length === 1 && only !== undefined) return { args: { ...args, site: only.id }, site: only };
    if (siteMayBeMissing.has(tool)) return { args };
    throw fail('validation_failed', { path: 'site', expected: expectedSite(visible) });
  }
  if (typeof args.site !== 'string') return { args };
  const site = visible.find(({ id }) => id === args.site) ?? visible.find(({ slug }) => slug === args.site);
  if (site === undefined) throw fail('not_found', { what: 'site', id: cut(args.site, 96) });
  return { args: { ...args, site: site.id }, site };
}

function expectedSite(visible: readonly Site[]): string {
  if (visible.length === 0) return 'there is no site that you can see';
  const slugs = visible.slice(0, 10).map(({ slug }) => slug);
  return `name one of your sites (${slugs.join(', ')}${visible.length > slugs.length ? ', …' : ''})`;
}
