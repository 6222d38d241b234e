import type { SiteRules } from '@cloudhal/shared/contracts';
import type { Static } from 'typebox';
import type { Inspected, Inspection } from './browser/inspect.ts';
import type { Assessed } from './define-tool.ts';
import type { GuardedFetch } from './fetch/guarded-fetch.ts';
import type { Track } from './graph/node.ts';
import type { MediaStore } from './media/media-store.ts';

/** What tools may do besides reading and changing the graph. Each is made by `service.ts` from its settings. */
export type Capabilities = {
  previews: {
    /** A private link to one node in one state. Whoever has it sees that and nothing else, until it expires. */
    mint(preview: PreviewGrant, minutes: number): Promise<{ url: string; expiresAt: string }>;
  };
  /** When and how the site may be published; policy-service's answer to `siteRules`. */
  siteRules(site: string): Promise<Static<typeof SiteRules>>;
  /** Whether a publish would run for whoever the permit is for; `args` are those of the permit. */
  judgePublish(permit: string, args: object, publish: object): Promise<Judgement>;
  media: MediaStore;
  /** Fetches from the public internet. For tools of the pool `media`: the workers of the others have no way out. */
  fetch: GuardedFetch;
  /** Looks at a page in a browser that reaches nothing but what it is handed. Errors: see browser/browsers.ts. */
  inspect(page: Inspection): Promise<Inspected>;
  /** What a call would do, computed and not done. Throws what the call would throw. */
  assess(call: { tool: string; site: string; arguments: Record<string, unknown> }): Promise<Assessed>;
};

/** What policy says of a call that is not made. */
export type Judgement = { decision: 'allow' | 'person' | 'deny'; rule: string; reasons: string[]; code?: string };

export type PreviewGrant = {
  site: string;
  node: string;
  track: Track;
  snapshot?: string;
  /** As this release would put it live. */
  release?: string;
};
