import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { Release } from '../../api/releases.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { texts as all } from '../../texts/index.ts';
import { releases as texts } from '../../texts/sites.ts';
import { type Day, dayOf, weeksOf } from './month-days.ts';
import styles from './releases.module.css';

const monthName = new Intl.DateTimeFormat(all.times.locale, { month: 'long', year: 'numeric' });
const dayName = new Intl.DateTimeFormat(all.times.locale, { dateStyle: 'full', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat(all.times.locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

type Dated = { release: Release; at: string };

/** When releases go live, or went, month by month in the time of who looks. */
export function ReleaseCalendar({ releases }: { releases: readonly Release[] }) {
  const [month, setMonth] = useState(() => new Date());
  const move = (by: number) => setMonth(new Date(month.getFullYear(), month.getMonth() + by, 1));
  const byDay = new Map<string, Dated[]>();
  for (const release of releases) {
    const at = release.state === 'scheduled' ? release.schedule?.at : release.outcome?.at;
    if (at !== undefined) byDay.set(dayOf(at), [...(byDay.get(dayOf(at)) ?? []), { release, at }]);
  }
  const weeks = weeksOf(month.getFullYear(), month.getMonth());
  const isEmpty = !weeks.flat().some(({ date, isInMonth }) => isInMonth && byDay.has(date));
  return (
    <section className={styles.block} aria-label={texts.calendar}>
      <header className={styles.head}>
        <h2 aria-live="polite">{monthName.format(month)}</h2>
        <div className={styles.turn}>
          <IconButton icon={ChevronLeft} label={texts.previous} onPress={() => move(-1)} />
          <IconButton icon={ChevronRight} label={texts.next} onPress={() => move(1)} />
        </div>
      </header>
      <table className={styles.calendar}>
        <thead>
          <tr>
            {texts.weekdays.map((day) => (
              <th key={day} scope="col">
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]!.date}>
              {week.map((day) => (
                <DayCell key={day.date} day={day} releases={byDay.get(day.date) ?? []} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isEmpty && <p className={styles.note}>{texts.noneThisMonth}</p>}
    </section>
  );
}

function DayCell({ day: { date, isInMonth }, releases }: { day: Day; releases: Dated[] }) {
  const isToday = date === dayOf(new Date().toISOString());
  return (
    <td data-other={!isInMonth} data-today={isToday} data-full={releases.length > 0}>
      <time dateTime={date}>
        <span aria-hidden="true">{Number(date.slice(8))}</span>
        <span className="visually-hidden">{dayName.format(new Date(date))}</span>
      </time>
      {releases.map(({ release: { id, title, state }, at }) => (
        <p key={id} className={styles.mark} data-state={state}>
          {clock.format(new Date(at))} <ShownParts text={`“${title}”`} />
        </p>
      ))}
    </td>
  );
}
