import { useQueryClient } from '@tanstack/react-query';
import { type Asset, describeAsset } from '../../api/media.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { texts } from '../../texts/index.ts';
import { media } from '../../texts/sites.ts';
import { AssetFields, wordsOf } from './asset-fields.tsx';

type DescribeDialogProps = {
  site: string;
  asset: Asset;
  locales: readonly string[];
  first: string;
  onClose: () => void;
};

/** Changes what is said of a file. */
export function DescribeDialog({ site, asset, locales, first, onClose }: DescribeDialogProps) {
  const client = useQueryClient();
  return (
    <Dialog title={media.dialog.title} isOpen onClose={onClose}>
      <Form
        onSend={async (values) => {
          await describeAsset(site, asset, wordsOf(values, asset.alt));
          await client.invalidateQueries({ queryKey: ['sites', site, 'assets'] });
          onClose();
        }}
      >
        {({ isSending }) => (
          <>
            <AssetFields type={asset.type} locales={locales} first={first} asset={asset} />
            <FormActions isSending={isSending} onCancel={onClose}>
              {texts.common.save}
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
