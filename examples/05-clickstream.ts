// Who browses for five minutes and then buys within fifteen? A state and timers per user, over a recorded stream.
import { from } from 'rxjs';
import { eventTime } from 'rxjs-rolling-window';
import { transformWithState } from 'rxjs-rolling-window/state';

interface Click {
  readonly user: string;
  readonly action: 'view' | 'buy';
  readonly minute: number;
}

interface Visit {
  readonly since: number;
  /** When the five minutes were full. */
  engaged?: number;
}

const minute = 60_000;
const minutes = (ms: number): string => `${ms / minute} min`;

// In the order in which they arrived: ben's first view was on its way for a minute.
const clicks: Click[] = [
  { user: 'ann', action: 'view', minute: 0 },
  { user: 'ann', action: 'view', minute: 2 },
  { user: 'ben', action: 'view', minute: 1 },
  { user: 'cem', action: 'view', minute: 3 },
  { user: 'ann', action: 'view', minute: 5 },
  { user: 'ben', action: 'view', minute: 5 },
  { user: 'ben', action: 'view', minute: 6 },
  { user: 'ann', action: 'view', minute: 9 },
  { user: 'cem', action: 'buy', minute: 10 },
  { user: 'ann', action: 'buy', minute: 12 },
  { user: 'dia', action: 'view', minute: 40 },
];

from(clicks.map((click) => ({ ...click, at: click.minute * minute })))
  .pipe(
    transformWithState({
      partitionBy: 'user',
      orderBy: 'at',
      clock: eventTime(), // a recorded stream: its own times are the clock
      delay: '2 minutes', // so late a click may be, and still comes in order
      init: (): Visit | undefined => undefined,
      onEvent(visit, { user, action }, { now, replace, setTimer, cancelTimer, clear }) {
        if (action === 'buy') {
          clear();
          return [visit?.engaged === undefined ? `${user} bought at once` : `${user} bought ${minutes(now - visit.engaged)} after browsing`];
        }
        if (visit?.engaged !== undefined) return [];
        const since = visit?.since ?? now;
        if (now - since < 5 * minute) {
          replace({ since });
          setTimer(now + 5 * minute, 'pause'); // moves the one of the last view
          return [];
        }
        replace({ since, engaged: now });
        cancelTimer('pause');
        setTimer(now + 15 * minute, 'lost');
        return [`${user} has browsed for ${minutes(now - since)}`];
      },
      onTimer(_visit, { name, at }, { key, clear }) {
        clear(); // the state goes, and the next click begins a new visit
        return name === 'lost' ? [`${key.user} had not bought by ${minutes(at)}`] : [];
      },
    }),
  )
  .subscribe((line) => console.log(line));

// => ann has browsed for 5 min
// => ben has browsed for 5 min
// => cem bought at once
// => ann bought 7 min after browsing
// => ben had not bought by 21 min
