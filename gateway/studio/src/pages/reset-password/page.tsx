import { useState } from 'react';
import { resetPassword } from '../../api/account.ts';
import { codeOf } from '../../api/errors.ts';
import { useTokenOfLink } from '../../api/token-of-link.ts';
import { NewPasswordField } from '../../components/account-fields.tsx';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Outside } from '../../shell/outside.tsx';
import { forgotten } from '../../texts/sign-in.ts';

const texts = forgotten.reset;

export default function ResetPasswordPage() {
  const token = useTokenOfLink();
  const [state, setState] = useState<'open' | 'done' | 'ended'>(token === '' ? 'ended' : 'open');
  if (state !== 'open') {
    const { title, text, action } = texts[state];
    return (
      <Outside title={title} lead={text}>
        <LinkButton to={state === 'done' ? '/sign-in' : '/forgot-password'} look="primary">
          {action}
        </LinkButton>
      </Outside>
    );
  }
  const send = async ({ password = '' }: Record<string, string>) => {
    try {
      await resetPassword(token, password);
      setState('done');
    } catch (error) {
      if (codeOf(error) !== 'link_invalid') throw error;
      setState('ended');
    }
  };
  return (
    <Outside title={texts.title} lead={texts.lead}>
      <Form onSend={send}>
        {({ isSending }) => (
          <>
            <NewPasswordField label={texts.password} hint={texts.hint} />
            <Button type="submit" look="primary" isPending={isSending}>
              {texts.action}
            </Button>
          </>
        )}
      </Form>
    </Outside>
  );
}
