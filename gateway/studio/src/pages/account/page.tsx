import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changePassword, goToSingleSignOn, leave, methodsQuery } from '../../api/account.ts';
import { forgetPerson, usePerson } from '../../api/session.ts';
import { storedTheme, storeTheme, type Theme, themes } from '../../api/theme.ts';
import { NewPasswordField } from '../../components/account-fields.tsx';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { Section } from '../../components/section.tsx';
import { TextField } from '../../components/text-field.tsx';
import { texts as all } from '../../texts/index.ts';
import { account as texts } from '../../texts/people.ts';
import { OwnSessions } from './own-sessions.tsx';
import styles from './page.module.css';

export default function AccountPage() {
  const { name, role, email } = usePerson();
  const isLocal = email === '';
  return (
    <Page title={texts.title} lead={isLocal ? texts.local : texts.lead(name, all.roles[role])}>
      <Appearance />
      {!isLocal && (
        <>
          <OwnSessions />
          <Password email={email} />
          <Connect />
          <Leave />
        </>
      )}
    </Page>
  );
}

function Appearance() {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const choose = (next: Theme) => {
    storeTheme(next);
    setTheme(next);
  };
  return (
    <Section title={texts.look.title}>
      <Choice
        label={texts.look.theme}
        value={theme}
        onChange={choose}
        options={themes.map((one) => ({ value: one, label: texts.look[one] }))}
      />
    </Section>
  );
}

function Password({ email }: { email: string }) {
  const [isDone, setDone] = useState(false);
  const client = useQueryClient();
  const { title, text, current, next, hint, action, done } = texts.password;
  const send = async ({ current: currentPassword = '', next: newPassword = '' }: Record<string, string>) => {
    await changePassword({ currentPassword, newPassword });
    setDone(true);
    await client.invalidateQueries({ queryKey: ['session'] });
  };
  return (
    <Section title={title} text={text}>
      {isDone ? (
        <p className={styles.done} role="status">
          {done}
        </p>
      ) : (
        <div className={styles.narrow}>
          <Form onSend={send}>
            {({ isSending }) => (
              <>
                <input type="hidden" name="email" value={email} autoComplete="username" readOnly />
                <TextField label={current} name="current" type="password" autoComplete="current-password" isRequired />
                <NewPasswordField label={next} hint={hint} name="next" />
                <Button type="submit" isPending={isSending}>
                  {action}
                </Button>
              </>
            )}
          </Form>
        </div>
      )}
    </Section>
  );
}

function Connect() {
  const { data } = useQuery(methodsQuery);
  const connecting = useMutation({ mutationFn: () => goToSingleSignOn({ to: '/account', connect: true }) });
  if (!data?.singleSignOn) return null;
  return (
    <Section title={texts.sso.title} text={texts.sso.text(data.singleSignOn)}>
      {connecting.error && <Problem error={connecting.error} />}
      <div>
        <Button isPending={connecting.isPending} onPress={() => connecting.mutate()}>
          {texts.sso.action(data.singleSignOn)}
        </Button>
      </div>
    </Section>
  );
}

function Leave() {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const { title, text, action, dialog, confirm } = texts.leave;
  const go = async () => {
    await leave();
    forgetPerson(client);
  };
  return (
    <Section title={title} text={text}>
      <div>
        <Button look="danger" onPress={() => setAsking(true)}>
          {action}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog title={dialog} action={confirm} onConfirm={go} onClose={() => setAsking(false)}>
          {text}
        </ConfirmDialog>
      )}
    </Section>
  );
}
