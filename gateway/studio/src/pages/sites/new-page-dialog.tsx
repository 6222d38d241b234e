import { useState } from 'react';
import { useNavigate } from 'react-router';
import { createPage } from '../../api/pages.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { TextField } from '../../components/text-field.tsx';
import { page } from '../../texts/pages.ts';
import { ParentSelect } from './parent-select.tsx';
import { useRequestId } from './use-request-id.ts';

export function NewPageDialog({ site, onClose }: { site: string; onClose: () => void }) {
  const texts = page.fresh;
  const navigate = useNavigate();
  const [parent, setParent] = useState('/');
  const requestId = useRequestId();
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      <p>{texts.text}</p>
      <Form
        onSend={async ({ title = '', slug = '' }) => {
          const made = { title: title.trim(), parent, ...(slug.trim() && { slug: slug.trim() }) };
          const { data } = await createPage(site, made, requestId);
          navigate(`/sites/${site}/pages/${data.id}`);
        }}
      >
        {({ isSending }) => (
          <>
            <TextField label={texts.name} name="title" isRequired autoFocus maxLength={300} />
            <ParentSelect site={site} value={parent} onChange={setParent} />
            <TextField label={texts.slug} hint={texts.slugHint} name="slug" maxLength={96} />
            <FormActions isSending={isSending} onCancel={onClose}>
              {texts.make}
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
