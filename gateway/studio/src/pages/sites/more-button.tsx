import { Button } from '../../components/button.tsx';
import { sites as texts } from '../../texts/sites.ts';
import styles from './sites.module.css';

type Paged = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** Goes on in a list that has more. */
export function MoreButton({ list: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { list: Paged }) {
  if (!hasNextPage) return null;
  return (
    <div className={styles.center}>
      <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
        {texts.more}
      </Button>
    </div>
  );
}
