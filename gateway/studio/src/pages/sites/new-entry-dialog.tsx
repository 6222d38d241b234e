import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { createEntry } from '../../api/content.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { TextField } from '../../components/text-field.tsx';
import { texts as all } from '../../texts/index.ts';
import { entries } from '../../texts/sites.ts';

export function NewEntryDialog({ site, type, onClose }: { site: string; type: string; onClose: () => void }) {
  const texts = entries.fresh;
  const navigate = useNavigate();
  // The same one for each try of this dialog: sent twice, it is made once.
  const requestId = useRef(crypto.getRandomValues(new Uint32Array(4)).join('-'));
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      <p>{texts.text}</p>
      <Form
        onSend={async ({ title = '' }) => {
          const { data } = await createEntry(site, type, title.trim(), requestId.current);
          navigate(`/sites/${site}/entries/${data.id}`);
        }}
      >
        {({ isSending }) => (
          <>
            <TextField label={texts.name} name="title" isRequired autoFocus maxLength={300} />
            <DialogActions>
              <Button onPress={onClose}>{all.common.cancel}</Button>
              <Button type="submit" look="primary" isPending={isSending}>
                {texts.make}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
