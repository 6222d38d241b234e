import { useEffect, useRef, useState } from 'react';
import { TextField } from '../../components/text-field.tsx';
import { usePaused } from '../../components/use-paused.ts';
import styles from './sites.module.css';

type SearchFieldProps = { label: string; value: string; onSearch: (text: string) => void };

/** Searches once the person stops writing. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const search = useRef(onSearch);
  search.current = onSearch;
  const wanted = usePaused(text);
  useEffect(() => {
    if (wanted !== value) search.current(wanted);
  }, [wanted, value]);
  return (
    <div className={styles.search}>
      <TextField label={label} type="search" value={text} onChange={setText} maxLength={200} />
    </div>
  );
}
