import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { codeOf } from '../../api/errors.ts';
import { addSection, type Section, type SitePage } from '../../api/pages.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Problem } from '../../components/problem.tsx';
import { sections as texts } from '../../texts/pages.ts';
import styles from './entry-page.module.css';
import { placeOf, SectionProps } from './section-props.tsx';
import { useRequestId } from './use-request-id.ts';
import { forgetUnsaved, unsavedAt } from './use-written.ts';

type GoneSectionsProps = { site: string; page: SitePage; nameOf: (type: string) => string };

/** Sections that somebody took out while they were being changed here: what was written in them is kept. */
export function GoneSections({ site, page, nameOf }: GoneSectionsProps) {
  const known = useRef(new Map<string, { section: Section; index: number }>());
  const [, again] = useState({});
  page.sections.forEach((section, index) => {
    known.current.set(section.id, { section, index });
  });
  const there = new Set(page.sections.map(({ id }) => id));
  const gone = [...known.current.values()].filter(({ section }) => !there.has(section.id));
  return gone.map(({ section, index }) => {
    const written = unsavedAt(placeOf(site, section))?.written;
    if (!written) return null;
    return (
      <Gone
        key={section.id}
        site={site}
        page={page}
        name={nameOf(section.type)}
        section={{ ...section, props: written.fields }}
        index={index}
        onSettle={() => {
          forgetUnsaved(placeOf(site, section));
          again({});
        }}
      />
    );
  });
}

type GoneProps = {
  site: string;
  page: SitePage;
  name: string;
  section: Section;
  index: number;
  onSettle: () => void;
};

function Gone({ site, page, name, section: { type, props }, index, onSettle }: GoneProps) {
  const client = useQueryClient();
  // This is there as long as the section is not: a try that went through is told from the next time it is taken out.
  const requestId = useRequestId();
  const back = useMutation({
    mutationFn: () =>
      addSection({ site, page: page.id, rev: page.rev }, { type, props, position: { index } }, { requestId }).catch(
        (error) => {
          // A try before went through, at another rev, and its answer was lost.
          if (codeOf(error) !== 'idempotency_conflict') throw error;
        },
      ),
    onSuccess: onSettle,
    onSettled: () => client.invalidateQueries({ queryKey: ['sites', site] }),
  });
  return (
    <Notice tone="warn">
      <div className={styles.side}>
        <h3>{texts.gone.title}</h3>
        <p>{texts.gone.text(name)}</p>
        <SectionProps props={props} />
        {back.error && <Problem error={back.error} />}
        <div className={styles.ways}>
          <Button look="primary" isPending={back.isPending} onPress={() => back.mutate()}>
            {texts.gone.back}
          </Button>
          <Button look="danger" onPress={onSettle}>
            {texts.gone.drop}
          </Button>
        </div>
      </div>
    </Notice>
  );
}
