import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { FileText, ImageOff, Images, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import { siteQuery } from '../../api/content.ts';
import { type Asset, assetsQuery } from '../../api/media.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { plainText } from '../../components/quoted-parts.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { deleting } from '../../texts/pages.ts';
import { media as texts } from '../../texts/sites.ts';
import { AddFile } from './add-file.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { DescribeDialog } from './describe-dialog.tsx';
import { useMayChange } from './may.ts';
import styles from './media.module.css';
import { MoreButton } from './more-button.tsx';
import { SearchField } from './search-field.tsx';
import shared from './sites.module.css';
import { sizeOf } from './size-of.ts';
import { Thumbnail } from './thumbnail.tsx';

/** Pictures and files of a site, with what is said of them. */
export function Media() {
  const { site = '' } = useParams();
  const { data: head } = useSuspenseQuery(siteQuery(site));
  const [q, setQ] = useState('');
  const [missingAlt, setMissingAlt] = useState(false);
  const [describing, setDescribing] = useState<Asset>();
  const [removing, setRemoving] = useState<Asset>();
  const list = useInfiniteQuery({ ...assetsQuery(site, { q, missingAlt }), placeholderData: keepPreviousData });
  const assets = list.data?.pages.flatMap((page) => page.assets);
  const mayChange = useMayChange();
  const isFiltered = q !== '' || missingAlt;
  const { title, text } = isFiltered ? texts.none : texts.empty;
  return (
    <div className={shared.part}>
      <div className={shared.tools}>
        <SearchField label={texts.search} value={q} onSearch={setQ} />
        <Checkbox isSelected={missingAlt} onChange={setMissingAlt}>
          {texts.missing}
        </Checkbox>
        {mayChange && <AddFile site={site} locales={head.locales} defaultLocale={head.defaultLocale} />}
      </div>
      {list.error && <Problem error={list.error} />}
      {!assets && !list.error && <Skeleton rows={2} height="12rem" />}
      {assets?.length === 0 && (
        <EmptyState icon={isFiltered ? ImageOff : Images} title={title}>
          {text}
        </EmptyState>
      )}
      {assets && assets.length > 0 && (
        <ul className={styles.grid} aria-label={texts.list}>
          {assets.map((asset) => (
            <Tile
              key={asset.id}
              site={site}
              asset={asset}
              locale={head.defaultLocale}
              onDescribe={() => setDescribing(asset)}
              onDelete={() => setRemoving(asset)}
            />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
      {describing && (
        <DescribeDialog
          site={site}
          asset={describing}
          locales={head.locales}
          first={describing.missingAlt?.[0] ?? head.defaultLocale}
          onClose={() => setDescribing(undefined)}
        />
      )}
      {removing && (
        <DeleteDialog
          site={site}
          node={{ kind: 'asset', id: removing.id, rev: removing.rev }}
          isLive={false}
          onDone={() => {}}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </div>
  );
}

type TileProps = { site: string; asset: Asset; locale: string; onDescribe: () => void; onDelete: () => void };

function Tile({ site, asset, locale, onDescribe, onDelete }: TileProps) {
  const { filename, type, alt, missingAlt = [], uses, bytes, width, height } = asset;
  const mayChange = useMayChange();
  const isImage = type.startsWith('image/');
  return (
    <li className={styles.tile}>
      <div className={styles.picture}>
        {isImage ? <Thumbnail site={site} asset={asset.id} alt={alt[locale] ?? ''} /> : <FileText aria-hidden="true" />}
      </div>
      <div className={styles.words}>
        <p className={styles.name}>
          <Quoted text={filename} most={60} />
        </p>
        {alt[locale] && (
          <p className={styles.alt}>
            <Quoted text={alt[locale]} most={120} />
          </p>
        )}
        {missingAlt.length > 0 && (
          <Badge tone="warn">{`${texts.noAlt}${missingAlt.length > 1 ? ` (${missingAlt.join(', ')})` : ''}`}</Badge>
        )}
        <p className={shared.facts}>
          <span>{sizeOf(bytes)}</span>
          {width !== undefined && <span>{`${width} × ${height}`}</span>}
          <span>{texts.uses(uses)}</span>
        </p>
      </div>
      {mayChange && (
        <div className={styles.does}>
          <Button size="s" onPress={onDescribe}>
            {missingAlt.length > 0 ? texts.describe : texts.change}
          </Button>
          <IconButton icon={Trash2} label={deleting.of(plainText(filename))} onPress={onDelete} />
        </div>
      )}
    </li>
  );
}
