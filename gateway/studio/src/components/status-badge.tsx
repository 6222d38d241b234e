import type { Status } from '../api/content.ts';
import { sites } from '../texts/sites.ts';
import { Badge } from './badge.tsx';

const tones = { draft: 'plain', published: 'good', changed: 'accent', trash: 'danger' } as const;

/** Where a draft stands against what readers see. */
export function StatusBadge({ status }: { status: Status }) {
  return <Badge tone={tones[status]}>{sites.status(status)}</Badge>;
}
