import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { createSite } from '../../api/sites.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { TextField } from '../../components/text-field.tsx';
import { sites } from '../../texts/sites.ts';

export function NewSiteDialog({ onClose }: { onClose: () => void }) {
  const texts = sites.fresh;
  const client = useQueryClient();
  const navigate = useNavigate();
  // Proposed from the name until the person writes an address of their own.
  const [slug, setSlug] = useState<{ text: string; isOwn: boolean }>({ text: '', isOwn: false });
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      <p>{texts.text}</p>
      <Form
        onSend={async ({ title = '', locales = '' }) => {
          const { site } = await createSite({ title: title.trim(), slug: slug.text, locales: listOf(locales) });
          await client.invalidateQueries({ queryKey: ['sites', 'list'] });
          navigate(`/sites/${site.id}`);
        }}
      >
        {({ isSending }) => (
          <>
            <TextField
              label={texts.name}
              name="title"
              isRequired
              autoFocus
              maxLength={300}
              onChange={(title) => slug.isOwn || setSlug({ text: slugOf(title), isOwn: false })}
            />
            <TextField
              label={texts.slug}
              hint={texts.slugHint}
              name="slug"
              isRequired
              maxLength={96}
              value={slug.text}
              onChange={(text) => setSlug({ text, isOwn: text !== '' })}
            />
            <TextField label={texts.locales} hint={texts.localesHint} name="locales" defaultValue="en" isRequired />
            <FormActions isSending={isSending} onCancel={onClose}>
              {texts.make}
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}

function slugOf(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
}

function listOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((one) => one !== '');
}
