import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { reworded } from '../../api/errors.ts';
import { createSite } from '../../api/sites.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { TextField } from '../../components/text-field.tsx';
import { sites } from '../../texts/sites.ts';
import { listOf } from './list-of.ts';
import { TitleAndSlug } from './title-and-slug.tsx';

export function NewSiteDialog({ onClose }: { onClose: () => void }) {
  const texts = sites.fresh;
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      <p>{texts.text}</p>
      <Form
        onSend={async ({ title = '', slug = '', locales = '' }) => {
          const asked = { title: title.trim(), slug: slug.trim(), locales: listOf(locales) };
          const { site } = await createSite(asked).catch((error) => {
            throw reworded(error, texts.refusals(asked.locales));
          });
          await client.invalidateQueries({ queryKey: ['sites', 'list'] });
          navigate(`/sites/${site.id}`);
        }}
      >
        {({ isSending }) => (
          <>
            <TitleAndSlug texts={texts} />
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
