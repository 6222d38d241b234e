import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { codeOf } from '../../api/errors.ts';
import { type AssetHead, type AssetWords, describeAsset, readAsset } from '../../api/media.ts';
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
export function DescribeDialog({ site, asset: opened, locales, first, written, onClose }: DescribeDialogProps) {
  const client = useQueryClient();
  const [newer, setNewer] = useState<{ asset: AssetHead; written: AssetWords }>();
  const { asset, written: kept } = newer ?? { asset: opened, written };
  return (
    <Dialog title={media.dialog.title} isOpen onClose={onClose}>
      <Form
        onSend={async (values) => {
          const words = wordsOf(values, asset);
          try {
            await describeAsset(site, asset, words);
          } catch (error) {
            if (codeOf(error) !== 'rev_conflict') throw error;
            setNewer({ asset: await readAsset(site, asset.id), written: words });
            return;
          }
          await client.invalidateQueries({ queryKey: ['sites', site, 'assets'] });
          onClose();
        }}
      >
        {({ isSending }) => (
          <>
            {newer ? (
              <Notice tone="warn">{media.dialog.overtaken}</Notice>
            ) : (
              written && <IsThere filename={asset.filename} written={written} />
            )}
            <AssetFields
              key={asset.rev}
              type={asset.type}
              locales={locales}
              first={first}
              asset={asset}
              {...(kept && { written: kept })}
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

function IsThere({ filename, written: { alt, ...others } }: { filename: string; written: AssetWords }) {
  const isWritten = Object.keys({ ...alt, ...others }).length > 0;
  return (
    <Notice tone="warn">
      {media.dialog.isThere} <Quoted text={filename} most={100} />. {media.dialog.isThereNext}{' '}
      {isWritten && media.dialog.isThereWritten}
    </Notice>
  );
}
