import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { endOtherSessions, endSession, sessionsQuery } from '../../api/account.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Problem } from '../../components/problem.tsx';
import { Row, Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { account } from '../../texts/people.ts';

const texts = account.sessions;

/** Where this person is signed in; each place can be ended from here. */
export function OwnSessions() {
  const { data: sessions } = useSuspenseQuery(sessionsQuery);
  const client = useQueryClient();
  const settled = { onSettled: () => client.invalidateQueries({ queryKey: ['session', 'all'] }) };
  const ending = useMutation({ mutationFn: endSession, ...settled });
  const endingOthers = useMutation({ mutationFn: endOtherSessions, ...settled });
  const error = ending.error ?? endingOthers.error;
  return (
    <Section
      title={texts.title}
      text={texts.text}
      actions={
        sessions.length > 1 && (
          <Button size="s" isPending={endingOthers.isPending} onPress={() => endingOthers.mutate()}>
            {texts.endOthers}
          </Button>
        )
      }
    >
      {error && <Problem error={error} />}
      <Rows label={texts.title}>
        {sessions.map(({ id, userAgent, network, createdAt, isThis }) => (
          <Row
            key={id}
            title={
              <>
                {account.browser(userAgent) ?? texts.unknown} {isThis && <Badge tone="good">{texts.thisOne}</Badge>}
              </>
            }
            facts={
              <>
                <span>
                  {texts.from} {network}
                </span>
                <span>
                  {texts.since} <Time at={createdAt} />
                </span>
              </>
            }
          >
            {!isThis && (
              <Button size="s" isPending={ending.isPending} onPress={() => ending.mutate(id)}>
                {texts.end}
              </Button>
            )}
          </Row>
        ))}
      </Rows>
    </Section>
  );
}
