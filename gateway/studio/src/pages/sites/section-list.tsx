import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, LayoutList, Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { codeOf } from '../../api/errors.ts';
import { moveSection, removeSection, type Section, type SectionTypeBrief, type SitePage } from '../../api/pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { plainText } from '../../components/quoted-parts.ts';
import { Section as Part } from '../../components/section.tsx';
import { sections as texts } from '../../texts/pages.ts';
import { AddSectionDialog } from './add-section-dialog.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { GoneSections } from './gone-sections.tsx';
import { useMayChange } from './may.ts';
import styles from './pages.module.css';
import { SectionEditor } from './section-editor.tsx';
import { placeOf, SectionProps } from './section-props.tsx';
import { summaryOf } from './section-summary.ts';
import shared from './sites.module.css';
import { Thumbnail } from './thumbnail.tsx';
import { unsavedAt } from './use-written.ts';

type SectionListProps = { site: string; page: SitePage; types: readonly SectionTypeBrief[] };

/** What a page is made of, in order: each section can be changed, moved and taken out, and others put in. */
export function SectionList({ site, page, types }: SectionListProps) {
  const mayChange = useMayChange();
  const [asking, setAsking] = useState<'add' | Section>();
  const moving = useMoving(site, page);
  const nameOf = (type: string) => types.find(({ name }) => name === type)?.title ?? plainText(type);
  const at = { site, page: page.id, rev: page.rev };
  const { sections } = page;
  const close = () => setAsking(undefined);
  return (
    <Part
      title={texts.title}
      text={texts.text}
      actions={
        mayChange && (
          <Button onPress={() => setAsking('add')}>
            <Plus aria-hidden="true" />
            {texts.add.action}
          </Button>
        )
      }
    >
      <p className="visually-hidden" role="status">
        {moving.said}
      </p>
      {moving.error &&
        (codeOf(moving.error) === 'rev_conflict' ? (
          <Notice tone="warn">{texts.movedOn}</Notice>
        ) : (
          <Problem error={moving.error} />
        ))}
      {sections.length === 0 && (
        <EmptyState icon={LayoutList} title={texts.empty.title}>
          {mayChange ? texts.empty.text : texts.emptyToRead}
        </EmptyState>
      )}
      {sections.length > 0 && (
        <ol className={shared.rows} aria-label={texts.list}>
          {sections.map((section, index) => (
            <SectionRow
              key={section.id}
              site={site}
              page={page}
              section={section}
              name={nameOf(section.type)}
              index={index}
              onMove={(by) => moving.move(section, nameOf(section.type), by)}
              onRemove={() => setAsking(section)}
            />
          ))}
        </ol>
      )}
      {mayChange && <GoneSections site={site} page={page} nameOf={nameOf} />}
      {asking === 'add' && <AddSectionDialog site={site} page={page} types={types} nameOf={nameOf} onClose={close} />}
      {asking !== undefined && asking !== 'add' && (
        <ChangeDialog
          title={texts.removing.title}
          action={texts.removing.action}
          look="danger"
          site={site}
          onConfirm={() => removeSection(at, asking.id)}
          onClose={close}
        >
          <SectionHead site={site} section={asking} name={nameOf(asking.type)} />
          <p>{texts.removing.text}</p>
        </ChangeDialog>
      )}
    </Part>
  );
}

const buttonOf = (section: string, by: -1 | 1) => `${section}-${by < 0 ? 'up' : 'down'}`;

/** Moves sections; the focus goes along with what moved, and its new place is said. */
function useMoving(site: string, page: SitePage) {
  const client = useQueryClient();
  const focus = useRef<{ section: string; by: -1 | 1 }>(undefined);
  const [said, setSaid] = useState('');
  const doing = useMutation({
    mutationFn: ({ section, to }: { section: Section; to: number }) =>
      moveSection({ site, page: page.id, rev: page.rev }, section.id, { index: to }),
    onError: () => {
      focus.current = undefined;
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['sites', site] }),
  });
  useEffect(() => {
    if (!focus.current) return;
    const { section, by } = focus.current;
    focus.current = undefined;
    const isEnd = (by < 0 ? page.sections[0] : page.sections.at(-1))?.id === section;
    document.getElementById(buttonOf(section, isEnd ? (by < 0 ? 1 : -1) : by))?.focus();
  }, [page.sections]);
  return {
    said,
    error: doing.error,
    move(section: Section, name: string, by: -1 | 1) {
      if (doing.isPending) return;
      const to = page.sections.indexOf(section) + by;
      focus.current = { section: section.id, by };
      doing.mutate({ section, to }, { onSuccess: () => setSaid(texts.moved(name, to + 1, page.sections.length)) });
    },
  };
}

type SectionRowProps = {
  site: string;
  page: SitePage;
  section: Section;
  name: string;
  index: number;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

function SectionRow({ site, page, section, name, index, onMove, onRemove }: SectionRowProps) {
  const mayChange = useMayChange();
  const isUnsaved = unsavedAt(placeOf(site, section)) !== undefined;
  const [isOpen, setOpen] = useState(mayChange && isUnsaved);
  const opens = mayChange ? texts.edit : texts.show;
  const named = `${index + 1}, ${name}`;
  return (
    <li className={shared.row}>
      <SectionHead site={site} section={section} name={name} index={index} />
      <div className={shared.does}>
        {isUnsaved && !isOpen && <Badge tone="warn">{texts.unsaved}</Badge>}
        <Button
          size="s"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? texts.close : opens} ${named}`}
          onPress={() => setOpen(!isOpen)}
        >
          {isOpen ? texts.close : opens}
        </Button>
        {mayChange && (
          <>
            <IconButton
              id={buttonOf(section.id, -1)}
              icon={ArrowUp}
              label={texts.up(named)}
              isDisabled={index === 0}
              onPress={() => onMove(-1)}
            />
            <IconButton
              id={buttonOf(section.id, 1)}
              icon={ArrowDown}
              label={texts.down(named)}
              isDisabled={index === page.sections.length - 1}
              onPress={() => onMove(1)}
            />
            <IconButton icon={Trash2} label={texts.take(named)} onPress={onRemove} />
          </>
        )}
      </div>
      {isOpen && (
        <div className={styles.open}>
          {mayChange ? (
            <SectionEditor site={site} page={page} section={section} />
          ) : (
            <SectionProps props={section.props} />
          )}
        </div>
      )}
    </li>
  );
}

type SectionHeadProps = { site: string; section: Section; name: string; index?: number };

/** What a section is, in a line. */
function SectionHead({ site, section, name, index }: SectionHeadProps) {
  const { words, picture, listed } = summaryOf(section.props);
  return (
    <div className={styles.section}>
      {index !== undefined && <span className={styles.number}>{index + 1}</span>}
      {picture && (
        <span className={styles.small}>
          <Thumbnail site={site} asset={picture} alt="" />
        </span>
      )}
      <div className={shared.name}>
        <p className={shared.facts}>
          <Badge>{name}</Badge>
          {listed !== undefined && <span>{texts.listed(listed)}</span>}
        </p>
        {words !== '' && <Quoted text={words} most={120} />}
      </div>
    </div>
  );
}
