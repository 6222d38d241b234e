import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Backlink, backlinksQuery, deleteNode, type Node } from '../../api/trash.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Notice } from '../../components/notice.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { deleting as texts } from '../../texts/pages.ts';
import { ChangeDialog } from './change-dialog.tsx';
import styles from './dialogs.module.css';

type DeleteDialogProps = {
  site: string;
  node: Node;
  /** Readers see it. */
  isLive: boolean;
  onDone: () => void;
  onClose: () => void;
};

/** What refers to a page in these ways holds it: there is no way to break that. */
const holding = ['parent', 'homePage'];

/** Shows what uses something before it goes to the trash. The server judges anew, and says what holds it. */
export function DeleteDialog({ site, node, isLive, onDone, onClose }: DeleteDialogProps) {
  const { kind, id } = node;
  const [breaksLinks, setBreaksLinks] = useState(false);
  const { data, error } = useQuery(backlinksQuery(site, id));
  const links = data?.links ?? [];
  const isUsed = links.length > 0;
  const isHeld = links.some(({ role }) => kind === 'page' && holding.includes(role));
  const mayBreak = isUsed && kind !== 'asset' && !isHeld;
  const isLivePage = kind === 'page' && isLive;
  const unpublish = kind === 'entry' && isLive;
  return (
    <ChangeDialog
      title={texts.title(kind)}
      action={unpublish ? texts.deleteLive : texts.delete}
      look="danger"
      isDisabled={!data || isLivePage || (isUsed && !(mayBreak && breaksLinks))}
      site={site}
      onConfirm={async () => {
        await deleteNode(site, node, { unpublish, breaksLinks });
        onDone();
      }}
      onClose={onClose}
    >
      <p>{texts.text}</p>
      {unpublish && <Notice tone="warn">{texts.live}</Notice>}
      {isLivePage && <Notice tone="warn">{texts.livePage}</Notice>}
      {error && <Problem error={error} />}
      {!data && !error && <Skeleton rows={1} />}
      {isUsed && (
        <section className={styles.block}>
          <h3>{texts.links}</h3>
          <ul className={styles.lines}>
            {links.map((link) => (
              <li key={`${link.source} ${link.role}`}>
                <Source site={site} link={link} /> {texts.roles[link.role] ?? texts.linksTo}
              </li>
            ))}
          </ul>
          {data?.hasMore && <p className={styles.note}>{texts.more}</p>}
          {kind === 'asset' && <p>{texts.asset}</p>}
          {isHeld && <p>{texts.held}</p>}
          {mayBreak && (
            <Checkbox isSelected={breaksLinks} onChange={setBreaksLinks} hint={texts.breaksHint}>
              {texts.breaks}
            </Checkbox>
          )}
        </section>
      )}
    </ChangeDialog>
  );
}

function Source({ site, link: { source, kind, title, path } }: { site: string; link: Backlink }) {
  const words = <Quoted text={title ?? path ?? source} most={80} />;
  if (kind === 'entry') return <Link to={`/sites/${site}/entries/${source}`}>{words}</Link>;
  if (kind === 'page') return <Link to={`/sites/${site}/pages/${source}`}>{words}</Link>;
  return words;
}
