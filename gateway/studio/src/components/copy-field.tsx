import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import styles from './copy-field.module.css';

/** Text to take elsewhere: a link, a secret, a set-up. */
export function CopyField({ label, text, rows }: { label: string; text: string; rows?: number }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div className={styles.field}>
      <textarea
        className={styles.text}
        aria-label={label}
        readOnly
        rows={rows ?? 1}
        value={text}
        onFocus={(event) => event.target.select()}
      />
      <Button size="s" onPress={() => void copy()}>
        {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        <span aria-live="polite">{isCopied ? texts.common.copied : texts.common.copy}</span>
      </Button>
    </div>
  );
}
