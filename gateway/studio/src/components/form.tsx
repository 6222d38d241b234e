import { type FormEvent, type ReactNode, useState } from 'react';
import { Form as AriaForm } from 'react-aria-components';
import styles from './form.module.css';
import { Problem } from './problem.tsx';

type FormProps = {
  /** What was typed, by name. Rejects with what the form then says. */
  onSend: (values: Record<string, string>) => Promise<unknown>;
  children: (state: { isSending: boolean }) => ReactNode;
};

/** A form that sends once, and shows a refusal where the person looks. */
export function Form({ onSend, children }: FormProps) {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending) return;
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
    );
    setSending(true);
    setProblem(undefined);
    try {
      await onSend(values);
    } catch (error) {
      setProblem(error);
    } finally {
      setSending(false);
    }
  };
  return (
    <AriaForm className={styles.form!} onSubmit={send}>
      {problem !== undefined && <Problem error={problem} />}
      {children({ isSending })}
    </AriaForm>
  );
}
