import { type ReactNode, useState } from 'react';
import { TextField } from '../../components/text-field.tsx';

type TitleAndSlugProps = {
  texts: { name: string; slug: string; slugHint: string };
  /** Between the two. */
  children?: ReactNode;
};

/** The fields `title` and `slug`: the second is proposed from the first until the person writes one of their own. */
export function TitleAndSlug({ texts, children }: TitleAndSlugProps) {
  const [slug, setSlug] = useState({ text: '', isOwn: false });
  return (
    <>
      <TextField
        label={texts.name}
        name="title"
        isRequired
        autoFocus
        maxLength={300}
        onChange={(title) => slug.isOwn || setSlug({ text: slugOf(title), isOwn: false })}
      />
      {children}
      <TextField
        label={texts.slug}
        hint={texts.slugHint}
        name="slug"
        isRequired
        maxLength={96}
        value={slug.text}
        onChange={(text) => setSlug({ text, isOwn: text !== '' })}
      />
    </>
  );
}

function slugOf(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
}
