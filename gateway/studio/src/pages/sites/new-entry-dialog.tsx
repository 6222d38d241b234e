import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { createEntry, siteQuery } from '../../api/content.ts';
import { reworded } from '../../api/errors.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Select } from '../../components/select.tsx';
import { addresses, entries } from '../../texts/sites.ts';
import { TitleAndSlug } from './title-and-slug.tsx';
import { useRequestId } from './use-request-id.ts';

export function NewEntryDialog({ site, type, onClose }: { site: string; type: string; onClose: () => void }) {
  const texts = entries.fresh;
  const navigate = useNavigate();
  const { locales, defaultLocale } = useSuspenseQuery(siteQuery(site)).data;
  const [locale, setLocale] = useState(defaultLocale);
  const requestId = useRequestId();
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      <p>{texts.text}</p>
      <Form
        onSend={async ({ title = '', slug = '' }) => {
          const made = { type, title: title.trim(), slug: slug.trim(), locale };
          const { data } = await createEntry(site, made, requestId).catch((error) => {
            throw reworded(error, addresses.refusals);
          });
          navigate(`/sites/${site}/entries/${data.id}`);
        }}
      >
        {({ isSending }) => (
          <>
            <TitleAndSlug texts={texts} />
            {locales.length > 1 && (
              <Select
                label={texts.language}
                value={locale}
                onChange={setLocale}
                options={locales.map((value) => ({ value, label: value }))}
              />
            )}
            <FormActions isSending={isSending} onCancel={onClose}>
              {texts.make}
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
