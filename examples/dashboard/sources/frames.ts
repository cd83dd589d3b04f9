import { Observable } from 'rxjs';
import type { Measurement } from '../measurement.ts';
import { epochTime } from '../pageClock.ts';
import { currentRoute } from './route.ts';

/** A gap this long, in milliseconds, was a machine asleep and not a page at work. */
const ASLEEP = 30_000;

/** From one frame to the next, while the page is seen. */
export const frames = (): Observable<Measurement> =>
  new Observable((subscriber) => {
    let before: number | undefined;
    const frame = (now: number): void => {
      // Frames of one browser frame have one time.
      if (before !== undefined && now > before && now - before < ASLEEP) subscriber.next({ kind: 'frame', route: currentRoute(), value: now - before, at: epochTime(now) });
      before = now;
      asked = requestAnimationFrame(frame);
    };
    let asked = requestAnimationFrame(frame);
    // Hidden pages get no frames: the first one after it would be as long as the page was away.
    const forget = (): void => void (before = undefined);
    document.addEventListener('visibilitychange', forget);
    return () => {
      cancelAnimationFrame(asked);
      document.removeEventListener('visibilitychange', forget);
    };
  });
