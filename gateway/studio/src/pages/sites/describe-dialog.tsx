import { useQueryClient } from '@tanstack/react-query';
import { type Asset, describeAsset } from '../../api/media.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { TextField } from '../../components/text-field.tsx';
import { texts as all } from '../../texts/index.ts';
import { media } from '../../texts/sites.ts';

type DescribeDialogProps = { site: string; asset: Asset; locale: string; onClose: () => void };

/** What is said of a picture: its description in one language, who made it, under which licence. */
export function DescribeDialog({ site, asset, locale, onClose }: DescribeDialogProps) {
  const texts = media.dialog;
  const client = useQueryClient();
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      <p>{texts.text}</p>
      <Form
        onSend={async ({ alt = '', credit = '', licence = '' }) => {
          await describeAsset(site, asset, locale, { alt, ...(credit && { credit }), ...(licence && { licence }) });
          await client.invalidateQueries({ queryKey: ['sites', site, 'assets'] });
          onClose();
        }}
      >
        {({ isSending }) => (
          <>
            <TextField
              label={texts.alt(locale)}
              name="alt"
              rows={3}
              defaultValue={asset.alt[locale] ?? ''}
              maxLength={1000}
              autoFocus
            />
            <TextField label={texts.credit} name="credit" defaultValue={asset.credit ?? ''} maxLength={300} />
            <TextField label={texts.licence} name="licence" defaultValue={asset.licence ?? ''} maxLength={200} />
            <FormActions isSending={isSending} onCancel={onClose}>
              {all.common.save}
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
