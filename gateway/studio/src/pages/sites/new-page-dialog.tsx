import { useState } from 'react';
import { useNavigate } from 'react-router';
import { reworded } from '../../api/errors.ts';
import { createPage } from '../../api/pages.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { page } from '../../texts/pages.ts';
import { addresses } from '../../texts/sites.ts';
import { ParentSelect } from './parent-select.tsx';
import { TitleAndSlug } from './title-and-slug.tsx';
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
          const made = { title: title.trim(), slug: slug.trim(), parent };
          const { data } = await createPage(site, made, requestId).catch((error) => {
            throw reworded(error, addresses.refusals);
          });
          navigate(`/sites/${site}/pages/${data.id}`);
        }}
      >
        {({ isSending }) => (
          <>
            <TitleAndSlug texts={texts}>
              <ParentSelect site={site} value={parent} onChange={setParent} />
            </TitleAndSlug>
            <FormActions isSending={isSending} onCancel={onClose}>
              {texts.make}
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
