import { useMutation } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { gatewayUrl } from '../../api/base.ts';
import { callTool } from '../../api/tools.ts';
import { Button } from '../../components/button.tsx';
import type { Change } from '../../components/changes.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { approvals as texts } from '../../texts/approvals.ts';
import { texts as all } from '../../texts/index.ts';
import styles from './preview-frame.module.css';

type PreviewFrameProps = { site: string | undefined; change: Change; isOpen: boolean };

/** The page as it would look, in a frame in which nothing runs. The link is made for who looks, and ends by itself. */
export function PreviewFrame({ site, change, isOpen }: PreviewFrameProps) {
  const preview = useMutation({
    mutationFn: async () => {
      const args = { ...(site && { site }), node: change.id, view: 'draft', ttlMinutes: 10 };
      const { data } = await callTool<{ url: string }>('preview_page', args);
      return gatewayUrl(data.url.replace(/^.*\/(preview\/[^/?#]+).*$/, '$1'));
    },
  });
  const hasPage = isOpen && change.change !== 'removed' && (change.kind === 'page' || change.kind === 'entry');
  if (!hasPage) return null;
  return (
    <>
      <Button size="s" isPending={preview.isPending} onPress={() => preview.mutate()}>
        <Eye aria-hidden="true" />
        {texts.preview.show}
      </Button>
      <Dialog title={texts.preview.title} isOpen={preview.isSuccess || preview.isError} isWide onClose={preview.reset}>
        {preview.data && <iframe className={styles.frame} sandbox="" src={preview.data} title={texts.preview.frame} />}
        {preview.error && <Problem error={preview.error} />}
        <DialogActions>
          <Button onPress={preview.reset}>{all.common.close}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
