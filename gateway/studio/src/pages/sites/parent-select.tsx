import { useInfiniteQuery } from '@tanstack/react-query';
import { pagesQuery } from '../../api/content.ts';
import { plainText } from '../../components/quoted-parts.ts';
import { Select } from '../../components/select.tsx';
import { page as texts } from '../../texts/pages.ts';

type ParentSelectProps = {
  site: string;
  /** The id of a page; `/` is the top of the site. */
  value: string;
  onChange: (value: string) => void;
  /** The path of the page that moves: it goes neither under itself nor under what is below it. */
  moving?: string;
};

/** The page that another one goes under: of the first hundred, by their paths. */
export function ParentSelect({ site, value, onChange, moving }: ParentSelectProps) {
  const { data } = useInfiniteQuery(pagesQuery(site));
  const pages = data?.pages.flatMap((page) => page.data.pages) ?? [];
  const places = pages.filter(({ path }) => moving === undefined || !`${path}/`.startsWith(`${moving}/`));
  return (
    <Select
      label={texts.fresh.under}
      value={value}
      onChange={onChange}
      options={[
        { value: '/', label: texts.fresh.top },
        ...places.map(({ id, title, path }) => ({ value: id, label: plainText(title), hint: plainText(path) })),
      ]}
    />
  );
}
