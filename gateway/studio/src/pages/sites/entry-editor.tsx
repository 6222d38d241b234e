import { type ContentType, type Entry, type FieldSchema, saveEntry } from '../../api/content.ts';
import { Quoted } from '../../components/quoted.tsx';
import { TextField } from '../../components/text-field.tsx';
import { entries as texts } from '../../texts/sites.ts';
import styles from './entry-page.module.css';
import { FieldInput, labelOf } from './field-input.tsx';
import { HiddenCharacters } from './hidden-characters.tsx';
import { useMayChange } from './may.ts';
import { Naming, NamingRead } from './naming.tsx';
import { useWritten } from './use-written.ts';
import { WrittenForm } from './written-form.tsx';

type EntryEditorProps = { site: string; newest: Entry; type: ContentType };

/** The fields and the text of an entry, to be changed side by side with agents. */
export function EntryEditor({ site, newest, type }: EntryEditorProps) {
  const mayChange = useMayChange() && newest.status !== 'trash';
  const fields = Object.entries(type.schema.properties);
  return mayChange ? (
    <Form site={site} newest={newest} type={type} fields={fields} />
  ) : (
    <Reading site={site} entry={newest} type={type} fields={fields} />
  );
}

type Fields = [string, FieldSchema][];

function Form({ site, newest, type, fields }: EntryEditorProps & { fields: Fields }) {
  const editing = useWritten({
    site,
    place: `${site} ${newest.id}`,
    newest,
    save: async (rev, change) => (await saveEntry(site, newest.id, rev, change)).data.rev,
  });
  const { written } = editing;
  const words = texts.page;
  const input = ([name, schema]: Fields[number]) => (
    <FieldInput
      key={name}
      name={name}
      schema={schema}
      isRequired={type.schema.required?.includes(name) ?? false}
      value={written.fields[name]}
      onChange={(value) => editing.write({ fields: { ...written.fields, [name]: value } })}
    />
  );
  return (
    <WrittenForm site={site} node={newest.id} editing={editing}>
      <div className={styles.lead}>{fields.filter(isTitle).map(input)}</div>
      {type.hasBody && (
        <div className={styles.body}>
          <TextField
            label={words.body}
            hint={words.bodyHint}
            rows={18}
            value={written.body}
            onChange={(body) => editing.write({ body })}
          />
          <HiddenCharacters text={written.body} />
        </div>
      )}
      <div className={styles.fields}>{fields.filter((field) => !isTitle(field)).map(input)}</div>
      <div className={styles.fields}>
        <Naming site={site} type={type} named={written} onChange={editing.write} />
      </div>
    </WrittenForm>
  );
}

function Reading({ site, entry, type, fields }: Omit<EntryEditorProps, 'newest'> & { entry: Entry; fields: Fields }) {
  return (
    <div className={styles.read}>
      <dl>
        {fields.map(([name, schema]) => {
          const value = entry.fields[name];
          if (value === undefined) return null;
          return (
            <div key={name}>
              <dt>{labelOf(name, schema)}</dt>
              <dd>
                <Quoted text={typeof value === 'string' ? value : JSON.stringify(value)} most={400} />
              </dd>
            </div>
          );
        })}
        <NamingRead site={site} type={type} named={entry} />
      </dl>
      {entry.body !== '' && <Quoted as="block" text={entry.body} most={2_000} />}
    </div>
  );
}

const isTitle = ([name]: Fields[number]) => name === 'title';
