import { useState } from 'react';
import type { Outcomes as All, Outcome } from '../../api/agents.ts';
import { Choice } from '../../components/choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { outcomes as texts } from '../../texts/agents.ts';
import styles from './outcomes.module.css';

type Decision = Outcome['decision'];
const decisions: readonly Decision[] = ['allow', 'person', 'deny'];

/** What becomes of each tool's calls, and the rule that says so. */
export function Outcomes({ outcomes: { tools, tainted } }: { outcomes: All }) {
  const [group, setGroup] = useState<Decision>('allow');
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const shown = tools.filter(
    ({ decision, tool, title }) =>
      decision === group && (tool.includes(wanted) || title.toLowerCase().includes(wanted)),
  );
  return (
    <div className={styles.outcomes}>
      {tainted && <p className={styles.tainted}>{texts.tainted}</p>}
      <Choice
        label={texts.groupLabel}
        value={group}
        onChange={setGroup}
        options={decisions.map((value) => ({
          value,
          label: texts.count(texts.group[value], tools.filter(({ decision }) => decision === value).length),
        }))}
      />
      <TextField label={texts.search} type="search" value={search} onChange={setSearch} />
      {shown.length === 0 ? (
        <p className={styles.nothing}>{texts.nothing}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label={texts.list}>
          <ul className={styles.list}>
            {shown.map(({ tool, title, rule, reasons, smallRule }) => (
              <li key={tool}>
                <p className={styles.name}>
                  {title} <code>{tool}</code>
                </p>
                <p className={styles.why}>
                  {sentence(reasons)} <code className={styles.rule}>{rule}</code>
                </p>
                {smallRule && (
                  <p className={styles.why}>
                    {texts.small} <code className={styles.rule}>{smallRule}</code>
                  </p>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** How many tools run, ask and are refused, as one bar. */
export function OutcomeSums({ outcomes: { tools } }: { outcomes: All }) {
  const sums = decisions.map(
    (decision) => [decision, tools.filter((tool) => tool.decision === decision).length] as const,
  );
  return (
    <dl className={styles.sums}>
      {sums.map(([decision, sum]) => (
        <div key={decision} data-decision={decision}>
          <dt>{texts.group[decision]}</dt>
          <dd>{sum}</dd>
        </div>
      ))}
    </dl>
  );
}

function sentence(reasons: readonly string[]): string {
  const text = reasons.join('; ');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
