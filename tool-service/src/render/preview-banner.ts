import type { PreviewView } from './context.ts';
import { type Html, html } from './html.ts';

const states: Record<PreviewView['state'], string> = {
  draft: 'Draft',
  live: 'Live',
  snapshot: 'Earlier state',
  release: 'Release',
};

/** Tells whoever opens a preview link what they look at, and until when. It is for the site's people, hence in English. */
export function previewBanner({ state, snapshot, expiresAt }: PreviewView): Html {
  return html`<aside class="preview" lang="en" dir="ltr" aria-label="Preview"><strong>Preview</strong>${
    states[state]
  }, snapshot ${snapshot}. Not public. This link ends <time datetime="${expiresAt}">${ends(expiresAt)}</time>.</aside>`;
}

function ends(expiresAt: string): string {
  const time = Date.parse(expiresAt);
  if (Number.isNaN(time)) return expiresAt;
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
    .format(time)
    .concat(' UTC');
}
