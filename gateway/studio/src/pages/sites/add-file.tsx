import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { addAsset } from '../../api/media.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { TextField } from '../../components/text-field.tsx';
import { media } from '../../texts/sites.ts';

/** What sites show; the server looks at the bytes, whatever their name says. */
const accepted = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/svg+xml',
  'application/pdf',
];

/** Takes a file from the person's device into the site, with what is said of it. */
export function AddFile({ site, locale }: { site: string; locale: string }) {
  const [file, setFile] = useState<File>();
  return (
    <>
      <FileTrigger acceptedFileTypes={accepted} onSelect={(files) => setFile(files?.[0])}>
        <Button>{media.add.action}</Button>
      </FileTrigger>
      {file && <AddFileDialog site={site} file={file} locale={locale} onClose={() => setFile(undefined)} />}
    </>
  );
}

type AddFileDialogProps = { site: string; file: File; locale: string; onClose: () => void };

function AddFileDialog({ site, file, locale, onClose }: AddFileDialogProps) {
  const client = useQueryClient();
  const { add, dialog } = media;
  return (
    <Dialog title={add.title} isOpen onClose={onClose}>
      <p>
        <Quoted text={file.name} most={100} />
      </p>
      <Form
        onSend={async ({ alt = '', credit = '', licence = '' }) => {
          await addAsset(site, file, { alt, ...(credit && { credit }), ...(licence && { licence }) });
          await client.invalidateQueries({ queryKey: ['sites', site, 'assets'] });
          onClose();
        }}
      >
        {({ isSending }) => (
          <>
            {file.type.startsWith('image/') && (
              <TextField label={dialog.alt(locale)} hint={dialog.text} name="alt" rows={3} maxLength={1000} autoFocus />
            )}
            <TextField label={dialog.credit} name="credit" maxLength={300} />
            <TextField label={dialog.licence} name="licence" maxLength={200} />
            <FormActions isSending={isSending} onCancel={onClose}>
              {add.send}
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
