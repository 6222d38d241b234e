import { useState } from 'react';
import type { Asset, AssetWords } from '../../api/media.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Quoted } from '../../components/quoted.tsx';
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
  /** What was written of it before, and is not saved; it stands in place of what is said. */
  written?: AssetWords;
};

/** What is said of a file: what it shows in each language of the site, who made it, under which licence. */
export function AssetFields({ type, locales, first, asset, written }: AssetFieldsProps) {
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
      {isImage &&
        locales.map((locale) => (
          <div key={locale} hidden={locale !== shown}>
            <Description
              locale={locale}
              said={asset?.alt[locale]}
              written={written && locale in written.alt ? (written.alt[locale] ?? null) : undefined}
              isFirst={locale === first}
            />
          </div>
        ))}
      {(['credit', 'licence'] as const).map((name) => (
        <TextField
          key={name}
          label={texts[name]}
          hint={replaced(asset?.[name], written?.[name])}
          name={name}
          defaultValue={written?.[name] ?? asset?.[name] ?? ''}
          maxLength={name === 'credit' ? 300 : 200}
        />
      ))}
    </>
  );
}

type DescriptionProps = {
  locale: string;
  said: string | undefined;
  /** `null`: that there is to be none. */
  written: string | null | undefined;
  isFirst: boolean;
};

function Description({ locale, said, written, isFirst }: DescriptionProps) {
  const [decorates, setDecorates] = useState((written === undefined ? said : written) === '');
  return (
    <>
      <TextField
        label={texts.alt(locale)}
        hint={replaced(said, written) ?? texts.text}
        name={`alt.${locale}`}
        rows={3}
        defaultValue={(written === undefined ? said : written) ?? ''}
        maxLength={1000}
        autoFocus={isFirst}
        isDisabled={decorates}
      />
      <Checkbox name={`decorates.${locale}`} isSelected={decorates} onChange={setDecorates}>
        {texts.decorates(locale)}
      </Checkbox>
    </>
  );
}

function replaced(said: string | undefined, written: string | null | undefined) {
  if (!said || written === undefined || said === written) return undefined;
  return (
    <>
      {texts.replaced} <Quoted text={said} />
    </>
  );
}

/** What was written there and is not as before. That a picture only decorates has to be said. */
export function wordsOf(
  { credit = '', licence = '', ...descriptions }: Record<string, string>,
  before: Pick<Asset, 'alt' | 'credit' | 'licence'> = { alt: {} },
): AssetWords {
  const alt = Object.entries(descriptions).map(([name, text]) => {
    const [field, locale = ''] = name.split('.');
    return [locale, field === 'decorates' ? '' : text || undefined] as const;
  });
  return {
    alt: Object.fromEntries(alt.filter(([locale, text]) => text !== before.alt[locale])),
    ...(credit !== (before.credit ?? '') && { credit }),
    ...(licence !== (before.licence ?? '') && { licence }),
  };
}
