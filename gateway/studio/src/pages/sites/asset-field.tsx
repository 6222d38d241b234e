import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { useParams } from 'react-router';
import { assetsQuery } from '../../api/media.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { plainText } from '../../components/quoted-parts.ts';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { texts as all } from '../../texts/index.ts';
import { inputs } from '../../texts/pages.ts';
import styles from './field-group.module.css';
import media from './media.module.css';
import { MoreButton } from './more-button.tsx';
import { SearchField } from './search-field.tsx';
import { Thumbnail } from './thumbnail.tsx';

const texts = inputs.picture;

type AssetFieldProps = {
  label: string;
  value: unknown;
  isRequired: boolean;
  onChange: (value: string | undefined) => void;
};

/** A picture or a file of the site, by its id. */
export function AssetField({ label, value, isRequired, onChange }: AssetFieldProps) {
  const { site = '' } = useParams();
  const [isChoosing, setChoosing] = useState(false);
  const asset = typeof value === 'string' && value !== '' ? value : undefined;
  return (
    <fieldset className={styles.asset}>
      <legend>{label}</legend>
      <div className={styles.picture}>
        {asset && <Thumbnail site={site} asset={asset} alt={texts.chosen} />}
        <Button size="s" onPress={() => setChoosing(true)}>
          {asset ? texts.change : texts.choose}
        </Button>
        {asset && !isRequired && (
          <Button size="s" look="quiet" onPress={() => onChange(undefined)}>
            {texts.none}
          </Button>
        )}
      </div>
      {isChoosing && (
        <AssetDialog
          site={site}
          onChoose={(chosen) => {
            onChange(chosen);
            setChoosing(false);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </fieldset>
  );
}

type AssetDialogProps = { site: string; onChoose: (asset: string) => void; onClose: () => void };

function AssetDialog({ site, onChoose, onClose }: AssetDialogProps) {
  const [q, setQ] = useState('');
  const list = useInfiniteQuery({
    ...assetsQuery(site, { q, missingAlt: false }),
    placeholderData: keepPreviousData,
  });
  const assets = list.data?.pages.flatMap((page) => page.assets);
  return (
    <Dialog title={texts.title} isOpen isWide onClose={onClose}>
      <SearchField label={texts.search} value={q} onSearch={setQ} />
      {list.error && <Problem error={list.error} />}
      {!assets && !list.error && <Skeleton rows={2} height="10rem" />}
      {assets && (
        <ListBox
          className={media.grid!}
          aria-label={texts.list}
          layout="grid"
          selectionMode="none"
          items={assets}
          onAction={(id) => onChoose(String(id))}
          renderEmptyState={() => <p>{texts.nothing}</p>}
        >
          {({ id, filename }) => (
            <ListBoxItem id={id} textValue={plainText(filename)} className={`${media.tile} ${media.choice}`}>
              <div className={media.picture}>
                <Thumbnail site={site} asset={id} alt="" />
              </div>
              <ShownParts text={filename} />
            </ListBoxItem>
          )}
        </ListBox>
      )}
      <MoreButton list={list} />
      <DialogActions>
        <Button onPress={onClose}>{all.common.cancel}</Button>
      </DialogActions>
    </Dialog>
  );
}
