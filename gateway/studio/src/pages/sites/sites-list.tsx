import { useSuspenseQuery } from '@tanstack/react-query';
import { Globe, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { sitesQuery } from '../../api/sites.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { sites as texts } from '../../texts/sites.ts';
import { useIsOwner } from './may.ts';
import { NewSiteDialog } from './new-site-dialog.tsx';
import styles from './sites.module.css';

export function SitesList() {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const [isMaking, setMaking] = useState(false);
  const isOwner = useIsOwner();
  const make = isOwner && (
    <Button look={sites.length === 0 ? 'primary' : 'plain'} onPress={() => setMaking(true)}>
      <Plus aria-hidden="true" />
      {texts.fresh.action}
    </Button>
  );
  return (
    <Page title={texts.title} lead={texts.lead} actions={sites.length > 0 && make}>
      {sites.length === 0 ? (
        <EmptyState icon={Globe} title={texts.empty.title} action={make}>
          {texts.empty.text}
        </EmptyState>
      ) : (
        <ul className={styles.cards} aria-label={texts.list}>
          {sites.map(({ id, slug, title }) => (
            <li key={id} className={styles.card}>
              <h2>
                <Link to={`/sites/${id}`}>
                  <ShownParts text={title} />
                </Link>
              </h2>
              <p className={styles.note}>/sites/{slug}</p>
            </li>
          ))}
        </ul>
      )}
      {isMaking && <NewSiteDialog onClose={() => setMaking(false)} />}
    </Page>
  );
}
