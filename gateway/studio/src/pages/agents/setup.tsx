import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { NewKey } from '../../api/agents.ts';
import { gatewayUrl } from '../../api/base.ts';
import { Button } from '../../components/button.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { Page } from '../../components/page.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { agents, setup as texts } from '../../texts/agents.ts';
import styles from './setup.module.css';
import { type Setup as ClientSetup, setupsFor } from './setups.ts';
import { Warnings } from './warnings.tsx';

/** A secret that was just made, and how to put it into a client. It lives in this page alone and is gone with it. */
export function Setup({ made, isRotated, onDone }: { made: NewKey; isRotated?: boolean; onDone: () => void }) {
  const { key, secret, warnings } = made;
  const setups = setupsFor(gatewayUrl('mcp'), secret);
  const [client, setClient] = useState(setups[0]!.id);
  const chosen = setups.find(({ id }) => id === client) ?? setups[0]!;
  return (
    <Page
      title={isRotated ? texts.rotatedTitle : texts.title}
      windowTitle={agents.windowTitle}
      lead={<Quoted text={key.name} most={100} />}
    >
      <div className={styles.once} role="status">
        <KeyRound aria-hidden="true" />
        <div>
          <p className={styles.strong}>{texts.once}</p>
          <CopyField label={texts.secret} text={secret} />
        </div>
      </div>
      <Warnings warnings={warnings} />
      <Section title={texts.client} text={texts.choose}>
        <div className={styles.client}>
          <Select
            label={texts.client}
            isLabelHidden
            value={client}
            onChange={setClient}
            options={setups.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
        <Steps setup={chosen} />
        <p className={styles.note}>{texts.check}</p>
      </Section>
      <div>
        <Button look="primary" onPress={onDone}>
          {texts.done}
        </Button>
      </div>
    </Page>
  );
}

function Steps({ setup: { steps, note } }: { setup: ClientSetup }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ text, label, code, note: about }) => (
        <li key={text}>
          <p>{text}</p>
          <CopyField label={label} text={code} rows={code.split('\n').length} />
          {about && <p className={styles.note}>{about}</p>}
        </li>
      ))}
      {note && (
        <li>
          <Warnings warnings={[note]} />
        </li>
      )}
    </ol>
  );
}
