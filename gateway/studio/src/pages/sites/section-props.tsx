import type { Section } from '../../api/pages.ts';
import { Quoted } from '../../components/quoted.tsx';
import styles from './entry-page.module.css';
import { labelOf } from './field-input.tsx';

/** Where what is written of a section is kept until it is saved. */
export const placeOf = (site: string, { id }: Pick<Section, 'id'>) => `${site} ${id}`;

/** A section, to read. */
export function SectionProps({ props }: Pick<Section, 'props'>) {
  return (
    <div className={styles.read}>
      <dl>
        {Object.entries(props).map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name, {})}</dt>
            <dd>
              {typeof value === 'string' ? (
                <Quoted as="block" text={value} />
              ) : (
                <Quoted text={JSON.stringify(value)} most={400} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
