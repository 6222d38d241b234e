import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type OpenInvitation, useNames, withdrawInvitation } from '../../api/people.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { PersonName } from '../../components/person-name.tsx';
import { Problem } from '../../components/problem.tsx';
import { Row, Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { people as texts } from '../../texts/people.ts';

/** Links that nobody used yet; the links themselves are nowhere. */
export function Invitations({ invitations }: { invitations: OpenInvitation[] }) {
  const client = useQueryClient();
  const nameOf = useNames();
  const withdrawing = useMutation({
    mutationFn: withdrawInvitation,
    onSettled: () => client.invalidateQueries({ queryKey: ['people', 'invitations'] }),
  });
  return (
    <Section title={texts.invitations}>
      {withdrawing.error && <Problem error={withdrawing.error} />}
      <Rows label={texts.invitations}>
        {invitations.map(({ id, role, email, createdBy, expiresAt }) => (
          <Row
            key={id}
            title={
              <>
                {email ?? texts.anyone} <Badge>{texts.roles[role].name}</Badge>
              </>
            }
            facts={
              <>
                <span>
                  {texts.invitedBy} <PersonName name={nameOf(createdBy)} />
                </span>
                <span>
                  {texts.ends} <Time at={expiresAt} />
                </span>
              </>
            }
          >
            <Button size="s" isPending={withdrawing.isPending} onPress={() => withdrawing.mutate(id)}>
              {texts.withdraw}
            </Button>
          </Row>
        ))}
      </Rows>
    </Section>
  );
}
