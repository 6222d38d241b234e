import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { codeOf } from '../../api/errors.ts';
import { join, readInvitation, sessionQuery } from '../../api/session.ts';
import { useTokenOfLink } from '../../api/token-of-link.ts';
import { EmailField, NewPasswordField } from '../../components/account-fields.tsx';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Outside } from '../../shell/outside.tsx';
import { texts as all } from '../../texts/index.ts';
import { join as texts } from '../../texts/sign-in.ts';

export default function JoinPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const token = useTokenOfLink();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => (await readInvitation(token)).invitation,
    staleTime: Number.POSITIVE_INFINITY,
  });

  if (token === '' || codeOf(invitation.error) === 'link_invalid') {
    const { title, text, action } = texts.ended;
    return (
      <Outside title={title} lead={text}>
        <LinkButton to="/sign-in">{action}</LinkButton>
      </Outside>
    );
  }
  const { data } = invitation;
  const lead = data && (data.firstOwner ? texts.firstOwner : texts.invited(all.roles[data.role]));
  return (
    <Outside title={texts.title} lead={lead}>
      {invitation.isPending && <Skeleton rows={3} height="4.5rem" />}
      {invitation.error && <Problem error={invitation.error} />}
      {data && (
        <Form
          onSend={async ({ name = '', email = '', password = '' }) => {
            await join({ token, name, email, password });
            await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
            navigate('/', { replace: true });
          }}
        >
          {({ isSending }) => (
            <>
              <TextField
                label={texts.name}
                hint={texts.nameHint}
                name="name"
                autoComplete="name"
                isRequired
                maxLength={100}
              />
              <EmailField label={texts.email} />
              <NewPasswordField label={texts.password} hint={texts.passwordHint} />
              <Button type="submit" look="primary" isPending={isSending}>
                {texts.action}
              </Button>
            </>
          )}
        </Form>
      )}
    </Outside>
  );
}
