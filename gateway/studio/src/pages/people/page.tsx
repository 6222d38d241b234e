import { type Role, roles } from '@cloudhal/shared/policy';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { changeRole, invitationsQuery, type Member, peopleQuery, removePerson } from '../../api/people.ts';
import { usePerson } from '../../api/session.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Page } from '../../components/page.tsx';
import { PersonName } from '../../components/person-name.tsx';
import { Problem } from '../../components/problem.tsx';
import { Row, Rows } from '../../components/rows.tsx';
import { Select } from '../../components/select.tsx';
import { Time } from '../../components/time.tsx';
import { people as texts } from '../../texts/people.ts';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';

export default function PeoplePage() {
  const { data: people } = useSuspenseQuery(peopleQuery);
  const isOwner = usePerson().role === 'owner';
  const invitations = useQuery({ ...invitationsQuery, enabled: isOwner });
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        isOwner && (
          <Button look="primary" onPress={() => setInviting(true)}>
            <UserPlus aria-hidden="true" />
            {texts.invite}
          </Button>
        )
      }
    >
      <Rows label={texts.title}>
        {people.map((member) => (
          <PersonRow key={member.id} member={member} isOwner={isOwner} />
        ))}
      </Rows>
      {!isOwner && <p>{texts.onlyOwners}</p>}
      {invitations.data && invitations.data.length > 0 && <Invitations invitations={invitations.data} />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}

function PersonRow({ member, isOwner }: { member: Member; isOwner: boolean }) {
  const { id, name, role, email, createdAt } = member;
  const client = useQueryClient();
  const self = usePerson();
  const [isRemoving, setRemoving] = useState(false);
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['people'] });
    if (self.id === id) void client.invalidateQueries({ queryKey: ['session'] });
  };
  const changing = useMutation({ mutationFn: (next: Role) => changeRole(id, next), onSettled: refresh });
  const canChange = isOwner && id !== 'local';
  return (
    <Row
      title={
        <>
          <PersonName name={name} /> {self.id === id && <Badge>{texts.you}</Badge>}
        </>
      }
      facts={
        <>
          <span>{email ?? texts.local}</span>
          <span>
            {texts.since} <Time at={createdAt} />
          </span>
        </>
      }
    >
      {canChange ? (
        <>
          <Select
            label={texts.role(name)}
            isLabelHidden
            value={role}
            onChange={(next) => changing.mutate(next)}
            isDisabled={changing.isPending}
            options={roles.map((one) => ({ value: one, label: texts.roles[one].name, hint: texts.roles[one].text }))}
          />
          {self.id !== id && (
            <Button look="danger" size="s" onPress={() => setRemoving(true)}>
              {texts.remove}
            </Button>
          )}
        </>
      ) : (
        <Badge>{texts.roles[role].name}</Badge>
      )}
      {changing.error && <Problem error={changing.error} />}
      {isRemoving && (
        <ConfirmDialog
          title={texts.removeDialog.title(name)}
          action={texts.removeDialog.action}
          onConfirm={() => removePerson(id).then(refresh)}
          onClose={() => setRemoving(false)}
        >
          {texts.removeDialog.text}
        </ConfirmDialog>
      )}
    </Row>
  );
}
