import { useQueryClient } from '@tanstack/react-query';
import { sessionQuery, signIn } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Outside } from '../../shell/outside.tsx';
import { signIn as texts } from '../../texts/sign-in.ts';
import styles from './page.module.css';

export default function SignInPage() {
  const client = useQueryClient();
  return (
    <Outside title={texts.title} lead={texts.lead}>
      <Form
        onSend={async ({ email = '', password = '' }) => {
          await signIn({ email, password });
          await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
        }}
      >
        {({ isSending }) => (
          <>
            <TextField label={texts.email} name="email" type="email" autoComplete="username" isRequired />
            <TextField
              label={texts.password}
              name="password"
              type="password"
              autoComplete="current-password"
              isRequired
            />
            <Button type="submit" look="primary" isPending={isSending}>
              {texts.action}
            </Button>
          </>
        )}
      </Form>
      <p className={styles.hint}>{texts.newHere}</p>
    </Outside>
  );
}
