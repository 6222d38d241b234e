import { useState } from 'react';
import type { Asset, AssetWords } from '../../api/media.ts';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import { media } from '../../texts/sites.ts';

const texts = media.dialog;

type AssetFieldsProps = {
  /** Its media type. */
  type: string;
  locales: readonly string[];
  /** The locale whose description is in view at first. */
  first: string;
  asset?: Pick<Asset, 'alt' | 'credit' | 'licence'>;
};

/** What is said of a file: what it shows in each language of the site, who made it, under which licence. */
export function AssetFields({ type, locales, first, asset }: AssetFieldsProps) {
  const [shown, setShown] = useState(first);
  const isImage = type.startsWith('image/');
  const missing = (locale: string) => asset !== undefined && asset.alt[locale] === undefined;
  return (
    <>
      {isImage && locales.length > 1 && (
        <Select
          label={texts.language}
          value={shown}
          onChange={setShown}
          options={locales.map((locale) => ({
            value: locale,
            label: locale,
            ...(missing(locale) && { hint: media.noAlt }),
          }))}
        />
      )}
      {isImage && <input type="hidden" name="shown" value={shown} />}
      {isImage &&
        locales.map((locale) => (
          <div key={locale} hidden={locale !== shown}>
            <TextField
              label={texts.alt(locale)}
              hint={texts.text}
              name={`alt.${locale}`}
              rows={3}
              defaultValue={asset?.alt[locale] ?? ''}
              maxLength={1000}
              autoFocus={locale === first}
            />
          </div>
        ))}
      <TextField label={texts.credit} name="credit" defaultValue={asset?.credit ?? ''} maxLength={300} />
      <TextField label={texts.licence} name="licence" defaultValue={asset?.licence ?? ''} maxLength={200} />
    </>
  );
}

/** What was written there. The description in view is always meant, also an empty one; of the others, what was changed. */
export function wordsOf(
  { shown, credit = '', licence = '', ...others }: Record<string, string>,
  before: Asset['alt'] = {},
): AssetWords {
  const written = Object.entries(others).map(([name, text]) => [name.replace('alt.', ''), text] as const);
  const meant = written.filter(([locale, text]) => locale === shown || text !== (before[locale] ?? ''));
  return { alt: Object.fromEntries(meant), credit, licence };
}
