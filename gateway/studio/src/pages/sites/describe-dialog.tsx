import { useQueryClient } from '@tanstack/react-query';
import { type AssetHead, type AssetWords, describeAsset } from '../../api/media.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Notice } from '../../components/notice.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { texts } from '../../texts/index.ts';
import { media } from '../../texts/sites.ts';
import { AssetFields, wordsOf } from './asset-fields.tsx';

type DescribeDialogProps = {
  site: string;
  asset: AssetHead;
  locales: readonly string[];
  first: string;
  /** What was written for the same file as if it were new. */
  written?: AssetWords;
  onClose: () => void;
};

/** Changes what is said of a file. */
export function DescribeDialog({ site, asset, locales, first, written, onClose }: DescribeDialogProps) {
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
            {written && (
              <Notice tone="warn">
                {media.dialog.isThere} <Quoted text={asset.filename} most={100} />. {media.dialog.isThereNext}
              </Notice>
            )}
            <AssetFields
              type={asset.type}
              locales={locales}
              first={first}
              asset={asset}
              {...(written && { written })}
            />
            <FormActions isSending={isSending} onCancel={onClose}>
              {texts.common.save}
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
