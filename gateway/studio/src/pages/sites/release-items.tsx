import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { candidatesQuery, draftRevQuery, type Named, type ReleaseItem } from '../../api/releases.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { plainText } from '../../components/quoted-parts.ts';
import { Row, Rows } from '../../components/rows.tsx';
import { Select } from '../../components/select.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { releases } from '../../texts/sites.ts';
import dialogs from './dialogs.module.css';
import { MoreButton } from './more-button.tsx';
import styles from './releases.module.css';
import { SearchField } from './search-field.tsx';
import type { useReleaseItems } from './use-release-items.ts';

const texts = releases.parts;

type ReleaseItemsProps = { site: string } & Pick<ReturnType<typeof useReleaseItems>, 'items' | 'put' | 'take'>;

/** What goes into a release, found by words, and what becomes of each of its parts. */
export function ReleaseItems({ site, items, put, take }: ReleaseItemsProps) {
  const inside = useRef<HTMLHeadingElement>(null);
  return (
    <div className={styles.parts}>
      <Finder site={site} chosen={new Set(items.map(({ node }) => node))} put={put} take={take} />
      <section className={dialogs.block}>
        <h3 ref={inside} tabIndex={-1}>
          {texts.inside(items.length)}
        </h3>
        {items.length === 0 ? (
          <p className={dialogs.note}>{texts.none}</p>
        ) : (
          <Rows>
            {items.map((item) => (
              <Item
                key={item.node}
                site={site}
                item={item}
                onChange={put}
                onTake={() => {
                  take(item.node);
                  // The button goes with its row; the heading says how many are left.
                  inside.current?.focus();
                }}
              />
            ))}
          </Rows>
        )}
      </section>
    </div>
  );
}

type FinderProps = { site: string; chosen: ReadonlySet<string> } & Pick<ReleaseItemsProps, 'put' | 'take'>;

function Finder({ site, chosen, put, take }: FinderProps) {
  const [words, setWords] = useState('');
  const list = useInfiniteQuery({ ...candidatesQuery(site, words.trim()), placeholderData: keepPreviousData });
  const found = list.data?.pages.flatMap(({ items }) => items);
  const isSearched = words.trim() !== '';
  return (
    <section className={dialogs.block}>
      <h3>{texts.find}</h3>
      <SearchField label={texts.search} value={words} onSearch={setWords} />
      {list.error && <Problem error={list.error} />}
      {!found && !list.error && <Skeleton rows={2} />}
      {found?.length === 0 && <p className={dialogs.note}>{isSearched ? texts.noneFound : texts.noneChanged}</p>}
      {found && found.length > 0 && (
        <ul className={styles.choices} aria-label={isSearched ? texts.found : texts.changed}>
          {found.map((item) => (
            <li key={item.node}>
              <Checkbox
                isSelected={chosen.has(item.node)}
                onChange={(isChosen) => (isChosen ? put(item) : take(item.node))}
                hint={<Facts of={item} />}
              >
                <Quoted text={nameOf(item)} />
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
      <MoreButton list={list} />
    </section>
  );
}

type ItemProps = { site: string; item: ReleaseItem; onChange: (item: ReleaseItem) => void; onTake: () => void };

function Item({ site, item, onChange, onTake }: ItemProps) {
  const { rev: _, ...bare } = item;
  // Known of what was in the release before.
  const { data = null } = useQuery({ ...draftRevQuery(site, item.node), enabled: item.draftRev === undefined });
  const draftRev = item.draftRev ?? data;
  const revs = [...new Set([draftRev, item.rev])].filter((rev) => typeof rev === 'number');
  const name = plainText(nameOf(item));
  return (
    <Row title={<Quoted text={nameOf(item)} />} facts={<Facts of={item} />}>
      <Select
        label={texts.becomes(name)}
        isLabelHidden
        value={item.op === 'unpublish' ? 'off' : String(item.rev ?? 'draft')}
        onChange={(chosen) => {
          const op = chosen === 'off' ? 'unpublish' : 'publish';
          const rev = Number(chosen);
          onChange({ ...bare, op, ...(rev > 0 && { rev }) });
        }}
        options={[
          { value: 'draft', label: texts.follows },
          ...revs.map((rev) => ({
            value: String(rev),
            label: rev === draftRev ? texts.now(rev) : texts.pinned(rev),
          })),
          { value: 'off', label: texts.off },
        ]}
      />
      <IconButton icon={X} label={texts.take(name)} onPress={onTake} />
    </Row>
  );
}

export const nameOf = ({ title, path, node }: Named): string => title || path || node;

function Facts({ of: { kind, title, path } }: { of: Named }) {
  return (
    <>
      {kind && <span>{kind.replaceAll('_', ' ')}</span>} {path && title && <ShownParts text={path} />}
    </>
  );
}
