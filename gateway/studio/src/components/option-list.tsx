import { Check } from 'lucide-react';
import { ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import field from './field.module.css';
import styles from './option-list.module.css';

export type Option<T extends string = string> = { value: T; label: string; hint?: string };

type OptionListProps = {
  options: readonly Option[];
  /** Is said where there are none. */
  nothing?: string;
};

/** The choices of a select, or of a search, below it. */
export function OptionList({ options, nothing }: OptionListProps) {
  return (
    <Popover className={styles.popover!}>
      <ListBox
        className={styles.list!}
        items={options}
        renderEmptyState={() => nothing && <p className={styles.nothing}>{nothing}</p>}
      >
        {({ value: id, label: text, hint: more }) => (
          <ListBoxItem id={id} textValue={text} className={styles.option!}>
            {({ isSelected }) => (
              <>
                <span className={styles.words}>
                  <Text slot="label">{text}</Text>
                  {more && (
                    <Text slot="description" className={field.hint}>
                      {more}
                    </Text>
                  )}
                </span>
                {isSelected && <Check aria-hidden="true" />}
              </>
            )}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  );
}
