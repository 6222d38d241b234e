import { useState } from 'react';
import { Link } from 'react-router';
import { forgotPassword } from '../../api/account.ts';
import { EmailField } from '../../components/account-fields.tsx';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Outside } from '../../shell/outside.tsx';
import { forgotten as texts } from '../../texts/sign-in.ts';

export default function ForgotPasswordPage() {
  const [isSent, setSent] = useState(false);
  const back = <Link to="/sign-in">{texts.back}</Link>;
  if (isSent) {
    return (
      <Outside title={texts.sent.title} lead={texts.sent.text}>
        <p>{back}</p>
      </Outside>
    );
  }
  return (
    <Outside title={texts.title} lead={texts.lead}>
      <Form onSend={async ({ email = '' }) => forgotPassword(email).then(() => setSent(true))}>
        {({ isSending }) => (
          <>
            <EmailField label={texts.email} />
            <Button type="submit" look="primary" isPending={isSending}>
              {texts.action}
            </Button>
          </>
        )}
      </Form>
      <p>{back}</p>
    </Outside>
  );
}
