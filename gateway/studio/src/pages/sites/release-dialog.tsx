import { useQuery } from '@tanstack/react-query';
import { type Release, releasePlanQuery, setReleaseItems } from '../../api/releases.ts';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { releases } from '../../texts/sites.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { ReleaseItems } from './release-items.tsx';
import { useReleaseItems } from './use-release-items.ts';

type ReleaseDialogProps = { site: string; release: Release; onClose: () => void };

/** Changes what is in a release; what others do to it in the meantime is shown, and stays. */
export function ReleaseDialog({ site, release: { id, title }, onClose }: ReleaseDialogProps) {
  const texts = releases.change;
  const { data: plan, error } = useQuery(releasePlanQuery(site, id));
  const { items, changes, put, take } = useReleaseItems(plan?.items ?? []);
  return (
    <ChangeDialog
      title={texts.title}
      action={texts.save}
      isDisabled={changes.add.length + changes.remove.length === 0}
      isWide
      site={site}
      onConfirm={() => setReleaseItems(site, id, plan!.rev, changes)}
      onClose={onClose}
    >
      <p>
        <Quoted text={title} />
      </p>
      {error && <Problem error={error} />}
      {!plan && !error && <Skeleton rows={3} />}
      {plan && <ReleaseItems site={site} items={items} put={put} take={take} />}
    </ChangeDialog>
  );
}
