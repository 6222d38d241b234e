import type { FieldSchema } from '../../api/content.ts';
import { fieldName } from '../../components/change-words.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { plainText } from '../../components/quoted-parts.ts';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import { entries as texts } from '../../texts/sites.ts';
import { AssetField } from './asset-field.tsx';
import { ContentTypeField } from './content-type-field.tsx';
import { FieldGroup, FieldList } from './field-group.tsx';
import { HiddenCharacters } from './hidden-characters.tsx';

type FieldInputProps = {
  name: string;
  schema: FieldSchema;
  value: unknown;
  isRequired: boolean;
  onChange: (value: unknown) => void;
};

/** More characters than this may need more than one line. */
const oneLine = 300;
/** And more than this is a text of its own. */
const pages = 5_000;
const noChoice = '';

/** One field of an entry, or prop of a section, by what its type says of it. The server judges the value. */
export function FieldInput({ name, schema, value, isRequired, onChange }: FieldInputProps) {
  const label = labelOf(name, schema);
  const hint = schema.description === undefined ? undefined : plainText(schema.description);
  const common = { label, ...(hint && { hint }), ...(isRequired && { isRequired }) };

  if (schema.type === 'boolean') {
    return (
      <Checkbox isSelected={value === true} onChange={onChange} hint={hint}>
        {label}
      </Checkbox>
    );
  }
  if (schema.enum?.every((one) => typeof one === 'string')) {
    const options = schema.enum.map((one) => ({ value: one, label: plainText(one) }));
    return (
      <Select
        label={label}
        hint={hint}
        value={typeof value === 'string' ? value : noChoice}
        onChange={onChange}
        options={isRequired ? options : [{ value: noChoice, label: '–' }, ...options]}
      />
    );
  }
  if (schema.type === 'number' || schema.type === 'integer') {
    return (
      <TextField
        {...common}
        type="number"
        inputMode="decimal"
        value={value === undefined ? '' : String(value)}
        onChange={(text) => onChange(text === '' ? undefined : Number(text))}
      />
    );
  }
  if (schema.references === 'asset') {
    return <AssetField label={label} value={value} isRequired={isRequired} onChange={onChange} />;
  }
  if (schema.references === 'content_type') {
    return <ContentTypeField label={label} hint={hint} value={value} onChange={onChange} />;
  }
  if (schema.type === 'string') {
    const text = typeof value === 'string' ? value : '';
    const isLong = (schema.maxLength ?? 0) > oneLine && schema.pattern === undefined;
    const isDate = schema.format === 'date' || schema.pattern === '^\\d{4}-\\d{2}-\\d{2}$';
    return (
      <div>
        <TextField
          {...common}
          {...(isLong && { rows: (schema.maxLength ?? 0) > pages ? 10 : 2 })}
          {...(isDate && { type: 'date' })}
          {...(schema.maxLength !== undefined && { maxLength: schema.maxLength })}
          value={text}
          onChange={onChange}
        />
        <HiddenCharacters text={text} />
      </div>
    );
  }
  if (schema.type === 'array' && schema.items?.type === 'string') {
    return (
      <TextField
        {...common}
        hint={[hint, texts.page.lines].filter(Boolean).join(' ')}
        rows={3}
        value={Array.isArray(value) ? value.join('\n') : ''}
        onChange={(text) => onChange(text === '' ? [] : text.split('\n'))}
      />
    );
  }
  if (schema.type === 'object' && schema.properties) {
    return <FieldGroup label={label} schema={schema} value={value} onChange={onChange} />;
  }
  if (schema.type === 'array' && schema.items?.properties) {
    return <FieldList label={label} schema={schema} value={value} onChange={onChange} />;
  }
  return (
    <div>
      <p>{label}</p>
      {value !== undefined && <Quoted text={JSON.stringify(value)} />}
      <p>
        <small>{texts.page.notEditable}</small>
      </p>
    </div>
  );
}

/** What the type calls it, or its own name. */
export function labelOf(name: string, { title }: FieldSchema): string {
  return title === undefined ? fieldName(name) : plainText(title);
}
