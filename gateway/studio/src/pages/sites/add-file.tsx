import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DropZone, FileTrigger, Text } from 'react-aria-components';
import { type AssetHead, type AssetWords, addAsset } from '../../api/media.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Notice } from '../../components/notice.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { media } from '../../texts/sites.ts';
import styles from './add-file.module.css';
import { AssetFields, wordsOf } from './asset-fields.tsx';
import { DescribeDialog } from './describe-dialog.tsx';
import { sizeOf } from './size-of.ts';

const texts = media.add;

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

type AddFileProps = { site: string; locales: readonly string[]; defaultLocale: string };

/** Takes a file from the person's device into the site, with what is said of it. */
export function AddFile(props: AddFileProps) {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Button onPress={() => setAdding(true)}>{texts.action}</Button>
      {isAdding && <AddFileDialog {...props} onClose={() => setAdding(false)} />}
    </>
  );
}

function AddFileDialog({ site, locales, defaultLocale, onClose }: AddFileProps & { onClose: () => void }) {
  const client = useQueryClient();
  const [{ file, others }, setChosen] = useState<{ file?: File; others: number }>({ others: 0 });
  const [there, setThere] = useState<{ asset: AssetHead; written: AssetWords }>();
  const [share, setShare] = useState(0);
  const [stop] = useState(() => new AbortController());
  const cancel = () => {
    stop.abort();
    onClose();
  };
  if (there) {
    return <DescribeDialog site={site} locales={locales} first={defaultLocale} onClose={onClose} {...there} />;
  }
  return (
    <Dialog title={texts.title} isOpen onClose={cancel}>
      <Form
        onSend={async (values) => {
          if (!file) return;
          setShare(0);
          const written = wordsOf(values);
          const sending = { onProgress: setShare, signal: stop.signal };
          const asset = await addAsset(site, { file, words: written, defaultLocale }, sending);
          await client.invalidateQueries({ queryKey: ['sites', site, 'assets'] });
          if (asset) setThere({ asset, written });
          else onClose();
        }}
      >
        {({ isSending }) => (
          <DropZone
            className={styles.zone!}
            isDisabled={isSending}
            onDrop={async ({ items }) => {
              const dropped = items.find((item) => item.kind === 'file');
              if (dropped) setChosen({ file: await dropped.getFile(), others: items.length - 1 });
            }}
          >
            <div className={styles.drop}>
              {file && (
                <p>
                  <Quoted text={file.name} most={100} /> {sizeOf(file.size)}
                </p>
              )}
              {others > 0 && <Notice tone="warn">{texts.others(others)}</Notice>}
              <Text slot="label">{texts.drop}</Text>
              <FileTrigger
                acceptedFileTypes={accepted}
                onSelect={(files) => files?.[0] && setChosen({ file: files[0], others: 0 })}
              >
                <Button size="s" isDisabled={isSending}>
                  {texts.choose}
                </Button>
              </FileTrigger>
            </div>
            {file && <AssetFields type={file.type} locales={locales} first={defaultLocale} />}
            {isSending && <progress className={styles.share} aria-label={texts.sending} value={share} />}
            <FormActions isSending={isSending} isDisabled={!file} onCancel={cancel}>
              {texts.send}
            </FormActions>
          </DropZone>
        )}
      </Form>
    </Dialog>
  );
}
