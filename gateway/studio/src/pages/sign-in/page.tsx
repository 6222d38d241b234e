import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { goToSingleSignOn, methodsQuery } from '../../api/account.ts';
import { sessionQuery, signIn } from '../../api/session.ts';
import { EmailField } from '../../components/account-fields.tsx';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Outside } from '../../shell/outside.tsx';
import { signIn as texts } from '../../texts/sign-in.ts';
import styles from './page.module.css';

export default function SignInPage() {
  const client = useQueryClient();
  const [query] = useSearchParams();
  const { data: methods } = useQuery(methodsQuery);
  const problem = query.get('error');
  return (
    <Outside title={texts.title} lead={texts.lead}>
      {problem && (
        <p className={styles.problem} role="alert">
          {texts.problems[problem as keyof typeof texts.problems] ?? texts.problems.other}
        </p>
      )}
      {methods?.singleSignOn && (
        <>
          <Button
            look="primary"
            onPress={() => void goToSingleSignOn({ to: `/${query.get('to')?.replace(/^\/+/, '') ?? ''}` })}
          >
            {texts.singleSignOn(methods.singleSignOn)}
          </Button>
          <p className={styles.or}>{texts.or}</p>
        </>
      )}
      <Form
        onSend={async ({ email = '', password = '' }) => {
          await signIn({ email, password });
          await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
        }}
      >
        {({ isSending }) => (
          <>
            <EmailField label={texts.email} />
            <TextField
              label={texts.password}
              name="password"
              type="password"
              autoComplete="current-password"
              isRequired
            />
            <Button type="submit" look={methods?.singleSignOn ? 'plain' : 'primary'} isPending={isSending}>
              {texts.action}
            </Button>
          </>
        )}
      </Form>
      <p className={styles.hint}>
        {methods?.passwordReset && (
          <>
            <Link to="/forgot-password">{texts.forgot}</Link>{' '}
          </>
        )}
        {texts.newHere}
      </p>
    </Outside>
  );
}
