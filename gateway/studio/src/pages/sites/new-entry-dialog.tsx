import { useNavigate } from 'react-router';
import { createEntry } from '../../api/content.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { TextField } from '../../components/text-field.tsx';
import { entries } from '../../texts/sites.ts';
import { useRequestId } from './use-request-id.ts';

export function NewEntryDialog({ site, type, onClose }: { site: string; type: string; onClose: () => void }) {
  const texts = entries.fresh;
  const navigate = useNavigate();
  const requestId = useRequestId();
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      <p>{texts.text}</p>
      <Form
        onSend={async ({ title = '' }) => {
          const { data } = await createEntry(site, type, title.trim(), requestId);
          navigate(`/sites/${site}/entries/${data.id}`);
        }}
      >
        {({ isSending }) => (
          <>
            <TextField label={texts.name} name="title" isRequired autoFocus maxLength={300} />
            <FormActions isSending={isSending} onCancel={onClose}>
              {texts.make}
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
