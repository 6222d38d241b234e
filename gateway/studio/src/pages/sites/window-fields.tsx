import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { SiteRules } from '../../api/sites.ts';
import { TextField } from '../../components/text-field.tsx';
import { rules as texts } from '../../texts/sites.ts';
import styles from './rules.module.css';

type Window = NonNullable<SiteRules['publishingWindow']>;
type WindowFieldsProps = { window: Window; isDisabled: boolean; onChange: (window: Window) => void };

const days = [1, 2, 3, 4, 5, 6, 7];

/** The days and hours at which small changes may go live by themselves. */
export function WindowFields({ window, isDisabled, onChange }: WindowFieldsProps) {
  const set = (change: Partial<Window>) => onChange({ ...window, ...change });
  return (
    <div className={styles.window}>
      <ToggleButtonGroup
        className={styles.days!}
        selectionMode="multiple"
        aria-label={texts.days}
        isDisabled={isDisabled}
        selectedKeys={window.days.map(String)}
        onSelectionChange={(keys) => set({ days: days.filter((day) => keys.has(String(day))) })}
      >
        {days.map((day) => (
          <ToggleButton key={day} id={String(day)} className={styles.day!} aria-label={texts.day(day)}>
            {texts.day(day).slice(0, 2)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <div className={styles.hours}>
        <TextField
          label={texts.from}
          type="time"
          isRequired
          isDisabled={isDisabled}
          value={window.from}
          onChange={(from) => set({ from })}
        />
        <TextField
          label={texts.to}
          type="time"
          isRequired
          isDisabled={isDisabled}
          value={window.to}
          onChange={(to) => set({ to })}
        />
        <TextField
          label={texts.zone}
          isRequired
          isDisabled={isDisabled}
          value={window.timeZone}
          onChange={(timeZone) => set({ timeZone })}
        />
      </div>
      <p className={styles.note}>
        {texts.nextDay} {texts.zoneHint}
      </p>
    </div>
  );
}
