import { useInfiniteQuery, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { pagesQuery, type SiteData, saveSite, siteQuery } from '../../api/content.ts';
import { reworded } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Problem } from '../../components/problem.tsx';
import { plainText } from '../../components/quoted-parts.ts';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import { sites, settings as texts } from '../../texts/sites.ts';
import { listOf } from './list-of.ts';
import { useMayChange } from './may.ts';
import { PublishDialog } from './publish-dialog.tsx';
import styles from './rules.module.css';

type Written = { title: string; tagline: string; homePage: string; more: string };

const none = '/';
const writtenOf = ({ title, tagline = '', homePage = none }: SiteData): Written => ({
  title,
  tagline,
  homePage,
  more: '',
});

/** What the site is called, its home page and its languages. */
export function Settings() {
  const { site = '' } = useParams();
  const { data } = useSuspenseQuery(siteQuery(site));
  return <SettingsForm key={site} site={data} />;
}

function SettingsForm({ site }: { site: SiteData }) {
  const client = useQueryClient();
  const mayChange = useMayChange();
  const [read, setRead] = useState(() => writtenOf(site));
  const [next, setNext] = useState(read);
  const [isPublishing, setPublishing] = useState(false);
  const set = (change: Partial<Written>) => setNext((before) => ({ ...before, ...change }));
  const pages = useInfiniteQuery(pagesQuery(site.id)).data?.pages.flatMap((page) => page.data.pages) ?? [];
  const added = listOf(next.more);
  const saving = useMutation({
    mutationFn: () =>
      saveSite(site.id, site.rev, changeOf(read, next)).catch((error) => {
        throw reworded(error, sites.fresh.refusals(added));
      }),
    onSuccess: () => {
      setRead({ ...next, more: '' });
      set({ more: '' });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['sites'] }),
  });
  const isSame = JSON.stringify(next) === JSON.stringify(read);
  return (
    <form
      className={styles.rules}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame) saving.mutate();
      }}
    >
      <p className={styles.lead}>{mayChange ? texts.lead : sites.mayNotChange}</p>
      <fieldset className={styles.plain} disabled={!mayChange}>
        <section className={styles.rule}>
          <TextField
            label={texts.title}
            value={next.title}
            onChange={(title) => set({ title })}
            maxLength={300}
            isRequired
          />
          <TextField
            label={texts.tagline}
            hint={texts.taglineHint}
            value={next.tagline}
            onChange={(tagline) => set({ tagline })}
            maxLength={1000}
          />
          <Select
            label={texts.homePage}
            hint={texts.homePageHint}
            isDisabled={!mayChange}
            value={next.homePage}
            onChange={(homePage) => set({ homePage })}
            options={[
              { value: none, label: texts.noHomePage },
              ...pages.map(({ id, title, path }) => ({ value: id, label: plainText(title), hint: plainText(path) })),
            ]}
          />
          <TextField
            label={texts.languages}
            hint={texts.languagesHint(site.locales)}
            value={next.more}
            onChange={(more) => set({ more })}
          />
        </section>
      </fieldset>
      {saving.isSuccess && isSame && <Notice>{texts.saved}</Notice>}
      {saving.error && <Problem error={saving.error} />}
      {mayChange && (
        <div className={styles.actions}>
          <Button type="submit" look="primary" isPending={saving.isPending} isDisabled={isSame}>
            {texts.save}
          </Button>
          <Button isDisabled={!isSame} onPress={() => setPublishing(true)}>
            {texts.publish}
          </Button>
        </div>
      )}
      {isPublishing && <PublishDialog site={site.id} what={{ node: site.id }} onClose={() => setPublishing(false)} />}
    </form>
  );
}

/** Only what is other than it was read: the rest stays as it is now. */
function changeOf(read: Written, { title, tagline, homePage, more }: Written) {
  const set = {
    ...(title !== read.title && { title: title.trim() }),
    ...(tagline !== read.tagline && tagline.trim() !== '' && { tagline: tagline.trim() }),
    ...(homePage !== read.homePage && homePage !== none && { homePage }),
    ...(more.trim() !== '' && { addLocales: listOf(more) }),
  };
  const unset = [
    ...(tagline !== read.tagline && tagline.trim() === '' ? ['tagline'] : []),
    ...(homePage !== read.homePage && homePage === none ? ['homePage'] : []),
  ];
  return { set, unset };
}
