import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { goToSingleSignOn, methodsQuery } from '../api/account.ts';
import { whenSignInIsOld } from '../api/client.ts';
import { sessionQuery, signIn, usePerson } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { TextField } from '../components/text-field.tsx';
import { texts } from '../texts/index.ts';

/** Asks for the password where the server wants a recent sign-in; what was being done goes on by itself. */
export function Reauthenticate() {
  const { email } = usePerson();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const answer = useRef<(confirmed: boolean) => void>(undefined);

  useEffect(() => {
    whenSignInIsOld(
      () =>
        new Promise((resolve) => {
          answer.current = resolve;
          setOpen(true);
        }),
    );
    return () => whenSignInIsOld(undefined);
  }, []);

  const close = (confirmed: boolean) => {
    setOpen(false);
    answer.current?.(confirmed);
    answer.current = undefined;
  };
  const { data: methods } = useQuery(methodsQuery);
  const { pathname } = useLocation();
  const { title, text, password, action, with: withProvider } = texts.shell.reauthenticate;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={() => close(false)}>
      <p>{text}</p>
      <Form
        onSend={async (values) => {
          await signIn({ email, password: values.password ?? '' });
          await client.invalidateQueries(sessionQuery);
          close(true);
        }}
      >
        {({ isSending }) => (
          <>
            <input type="hidden" name="email" value={email} autoComplete="username" readOnly />
            <TextField
              label={password}
              name="password"
              type="password"
              autoComplete="current-password"
              isRequired
              autoFocus
            />
            <DialogActions>
              <Button onPress={() => close(false)}>{texts.common.cancel}</Button>
              <Button type="submit" look="primary" isPending={isSending}>
                {action}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
      {methods?.singleSignOn && (
        <Button onPress={() => void goToSingleSignOn({ to: pathname, again: true })}>
          {withProvider(methods.singleSignOn)}
        </Button>
      )}
    </Dialog>
  );
}
