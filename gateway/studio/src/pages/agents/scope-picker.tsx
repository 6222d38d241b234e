import { hasScope, type Scope, type Scopes } from '@cloudhal/shared/policy';
import { ToggleButton } from 'react-aria-components';
import { Checkbox } from '../../components/checkbox.tsx';
import { scopeGroups, keyForm as texts } from '../../texts/agents.ts';
import { isPreset, type Preset, presets } from './presets.ts';
import styles from './scope-picker.module.css';

type ScopePickerProps = {
  value: Scopes;
  onChange: (value: Scopes) => void;
  /** What the key's owner may give. */
  held: Scopes;
};

/** What a key reaches: where people usually start, and then one by one, in words and by what is reached. */
export function ScopePicker({ value, onChange, held }: ScopePickerProps) {
  const offered = (Object.keys(presets) as Preset[]).filter((preset) => isWithin(presets[preset], held));
  const toggle = (scope: Scope, isChosen: boolean) => {
    const others = value === '*' ? [] : value.filter((one) => one !== scope);
    onChange(isChosen ? [...others, scope] : others);
  };
  return (
    <div className={styles.picker}>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, which a fieldset would not name */}
      <div className={styles.presets} role="group" aria-label={texts.presets.label}>
        {offered.map((preset) => (
          <ToggleButton
            key={preset}
            isSelected={isPreset(preset, value)}
            onChange={() => onChange(presets[preset])}
            className={styles.preset!}
          >
            <strong>{texts.presets[preset].name}</strong>
            <span>{texts.presets[preset].text}</span>
          </ToggleButton>
        ))}
      </div>
      <div className={styles.groups}>
        {scopeGroups.map(({ name, scopes }) => {
          const own = scopes.filter(([scope]) => hasScope(held, scope));
          return (
            own.length > 0 && (
              <fieldset key={name} className={styles.group} disabled={value === '*'}>
                <legend>{name}</legend>
                {own.map(([scope, words]) => (
                  <Checkbox
                    key={scope}
                    isSelected={hasScope(value, scope)}
                    isDisabled={value === '*'}
                    onChange={(isChosen) => toggle(scope, isChosen)}
                  >
                    {words}
                  </Checkbox>
                ))}
              </fieldset>
            )
          );
        })}
      </div>
    </div>
  );
}

function isWithin(scopes: Scopes, held: Scopes): boolean {
  if (held === '*') return true;
  return scopes !== '*' && scopes.every((scope) => held.includes(scope));
}
