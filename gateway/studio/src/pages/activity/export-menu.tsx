import { Download } from 'lucide-react';
import { Button, Dialog, DialogTrigger, Heading, Link, Popover } from 'react-aria-components';
import { exportUrl, type Filter } from '../../api/activity.ts';
import buttons from '../../components/button.module.css';
import { exportTexts as texts } from '../../texts/activity.ts';
import styles from './export-menu.module.css';

/** Takes what the filters show along, as a file. */
export function ExportMenu({ filter }: { filter: Filter }) {
  return (
    <DialogTrigger>
      <Button className={`${buttons.button} ${buttons.plain}`}>
        <Download aria-hidden="true" />
        {texts.title}
      </Button>
      <Popover className={styles.popover!} placement="bottom end">
        <Dialog className={styles.menu!}>
          <Heading slot="title" level={2}>
            {texts.title}
          </Heading>
          <p>{texts.text}</p>
          {(['csv', 'jsonl'] as const).map((format) => (
            <Link
              key={format}
              href={exportUrl(filter, format)}
              download
              className={`${buttons.button} ${buttons.plain}`}
            >
              {texts[format]}
            </Link>
          ))}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
