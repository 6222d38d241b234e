import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import type { FieldSchema } from '../../api/content.ts';
import { Button } from '../../components/button.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { inputs as texts } from '../../texts/pages.ts';
import styles from './field-group.module.css';
import { FieldInput } from './field-input.tsx';

type Values = Record<string, unknown>;

type FieldsProps = {
  schema: { properties?: Record<string, FieldSchema>; required?: string[] };
  value: Values;
  onChange: (value: Values) => void;
};

/** An input for each member that a schema of an object names. What is emptied is left out. */
export function Fields({ schema: { properties = {}, required = [] }, value, onChange }: FieldsProps) {
  const set = (name: string, next: unknown) => {
    const { [name]: _, ...others } = value;
    onChange(next === undefined || next === '' ? others : { ...value, [name]: next });
  };
  return Object.entries(properties).map(([name, schema]) => (
    <FieldInput
      key={name}
      name={name}
      schema={schema}
      isRequired={required.includes(name)}
      value={value[name]}
      onChange={(next) => set(name, next)}
    />
  ));
}

type GroupProps = { label: string; schema: FieldSchema; value: unknown; onChange: (value: unknown) => void };

/** A few inputs that belong together, such as a link and its words. */
export function FieldGroup({ label, schema, value, onChange }: GroupProps) {
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <Fields
        schema={schema}
        value={isObject(value) ? value : {}}
        onChange={(next) => onChange(Object.keys(next).length === 0 ? undefined : next)}
      />
    </fieldset>
  );
}

/** A list of such groups, in an order of its own. */
export function FieldList({ label, schema, value, onChange }: GroupProps) {
  const items: Values[] = Array.isArray(value) ? value.filter(isObject) : [];
  const isFull = items.length >= (schema.maxItems ?? Number.POSITIVE_INFINITY);
  const put = (index: number, next: Values) => onChange(items.map((item, at) => (at === index ? next : item)));
  const move = (index: number, to: number) => {
    const others = items.filter((_, at) => at !== index);
    onChange([...others.slice(0, to), items[index]!, ...others.slice(to)]);
  };
  return (
    <fieldset className={styles.list}>
      <legend>{label}</legend>
      {items.map((item, index) => {
        const name = texts.item(label, index + 1);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no names of their own, and every input is controlled
          <fieldset key={index} className={styles.group}>
            <legend>{name}</legend>
            <div className={styles.does}>
              <IconButton
                icon={ArrowUp}
                label={texts.up(name)}
                isDisabled={index === 0}
                onPress={() => move(index, index - 1)}
              />
              <IconButton
                icon={ArrowDown}
                label={texts.down(name)}
                isDisabled={index === items.length - 1}
                onPress={() => move(index, index + 1)}
              />
              <IconButton
                icon={X}
                label={texts.remove(name)}
                onPress={() => onChange(items.filter((_, at) => at !== index))}
              />
            </div>
            <Fields schema={schema.items ?? {}} value={item} onChange={(next) => put(index, next)} />
          </fieldset>
        );
      })}
      <Button
        size="s"
        aria-label={`${texts.add}: ${label}`}
        isDisabled={isFull}
        onPress={() => onChange([...items, {}])}
      >
        <Plus aria-hidden="true" />
        {texts.add}
      </Button>
    </fieldset>
  );
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
