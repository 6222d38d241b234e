import { modes as allModes, type Mode, modeAtMost } from '@cloudhal/shared/policy';
import { Radio, RadioGroup } from 'react-aria-components';
import { keyForm as texts } from '../../texts/agents.ts';
import { modes } from '../../texts/changes.ts';
import styles from './mode-picker.module.css';

type ModePickerProps = { value: Mode; onChange: (value: Mode) => void /** The most that one may give. */; most: Mode };

/** How much an agent does by itself, from least to most. `bypass` works as `edits` over the network, so it is not offered. */
export function ModePicker({ value, onChange, most }: ModePickerProps) {
  const offered = allModes.filter((mode) => mode !== 'bypass' && modeAtMost(mode, most) === mode);
  return (
    <RadioGroup
      aria-label={texts.mode}
      value={value}
      onChange={(chosen) => onChange(chosen as Mode)}
      className={styles.modes!}
    >
      {(value === 'bypass' ? [...offered, value] : offered).map((mode) => (
        <Radio key={mode} value={mode} className={styles.mode!}>
          <span className={styles.dot} aria-hidden="true" />
          <span>
            <strong>{modes[mode].name}</strong>
            <span className={styles.text}>{modes[mode].text}</span>
          </span>
        </Radio>
      ))}
    </RadioGroup>
  );
}
