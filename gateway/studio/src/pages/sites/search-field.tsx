import { useEffect, useRef, useState } from 'react';
import { TextField } from '../../components/text-field.tsx';
import styles from './sites.module.css';

const pauseMs = 300;

type SearchFieldProps = { label: string; value: string; onSearch: (text: string) => void };

/** Searches once the person stops writing. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const search = useRef(onSearch);
  search.current = onSearch;
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => search.current(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <div className={styles.search}>
      <TextField label={label} type="search" value={text} onChange={setText} maxLength={200} />
    </div>
  );
}
