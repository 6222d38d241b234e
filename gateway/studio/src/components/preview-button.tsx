import { useMutation } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { gatewayUrl } from '../api/base.ts';
import { preview } from '../api/content.ts';
import { texts } from '../texts/index.ts';
import { preview as words } from '../texts/sites.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import styles from './preview-button.module.css';
import { Problem } from './problem.tsx';

type PreviewButtonProps = { site: string; node: string; label?: string; size?: 'm' | 's' };

/** Shows a page as its draft would look, in a frame in which nothing runs. The link is made for who looks, and ends by itself. */
export function PreviewButton({ site, node, label = words.show, size = 's' }: PreviewButtonProps) {
  const making = useMutation({
    mutationFn: async () => {
      const url = await preview(site, node, { view: 'draft' });
      return gatewayUrl(url.replace(/^.*\/(preview\/[^/?#]+).*$/, '$1'));
    },
  });
  return (
    <>
      <Button size={size} isPending={making.isPending} onPress={() => making.mutate()}>
        <Eye aria-hidden="true" />
        {label}
      </Button>
      <Dialog title={words.title} isOpen={making.isSuccess || making.isError} isWide onClose={making.reset}>
        {making.data && <iframe className={styles.frame} sandbox="" src={making.data} title={words.frame} />}
        {making.error && <Problem error={making.error} />}
        <DialogActions>
          <Button onPress={making.reset}>{texts.common.close}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
