import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { createEngine, describeSnapshot, rollingWindow, type SavedCheckpoint } from '../../../operators/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { FakeStore, settled } from '../../support/fakeStore.ts';
import { lastHits, type Hit } from '../support.ts';

/**
 * What a bad day does to one attempt to save: after so many steps it is applied or refused, or both are lost: it is applied,
 * and the caller gets an error; or the caller gets an error, and it is applied long after that, out of turn.
 */
type Fate = readonly [what: 'done' | 'refused' | 'answer lost' | 'late', steps: number];

const fate: fc.Arbitrary<Fate> = fc.tuple(fc.constantFrom('done', 'done', 'refused', 'answer lost', 'late'), fc.nat(6));
/** Milliseconds to wait, and how many events come after that. */
const step = fc.tuple(fc.constantFrom(0, 1, 1, 5, 250, 1000), fc.nat(2));

const every = 5;

it('never puts an older state over a newer one, and ends with the newest, whatever befalls the saves', { timeout: 120_000 }, async () => {
  const check = async (fates: readonly Fate[], steps: readonly (readonly [number, number])[]): Promise<void> => {
    const store = new FakeStore();
    const scheduler = manualScheduler(1);
    const open: { left: number; happen: () => void }[] = [];
    const later = (left: number, happen: () => void): void => void open.push({ left, happen });
    const ofStore: number[] = [], told: number[] = [];
    let waiting = 0, attempts = 0;

    /** How far the state goes that the store would give now. */
    const stored = (): number => (store.parts.length > 0 ? describeSnapshot(store.parts.at(-1)!).position.events : 0);
    const attempt = (act: () => void): void => {
      try {
        act();
      } catch {
        // A conflict of a save that came too late: nobody is told any more.
      }
      ofStore.push(stored());
    };
    store.onSave = ({ apply, resolve, reject }) => {
      expect(waiting, 'saves that the caller waits for').toBe(0);
      waiting += 1;
      const answer = (tell: () => void): void => {
        waiting -= 1;
        tell();
      };
      const [what, left] = fates[attempts++] ?? ['done', 0];
      const lost = new Error('lost');
      if (what === 'refused') later(left, () => answer(() => reject(lost)));
      else if (what === 'answer lost') later(left, () =>
          answer(() => {
            attempt(apply);
            reject(lost);
          }),
        );
      else if (what === 'late') {
        later(left, () => answer(() => reject(lost)));
        later(left * 3 + 1, () => attempt(apply));
      } else
        later(left, () =>
          answer(() => {
            try {
              resolve(apply());
            } catch (error) {
              reject(error);
            }
            ofStore.push(stored());
          }),
        );
    };

    const events$ = new Subject<Hit>();
    const end: unknown[] = [];
    let pushed = 0;
    const saved = { next: ({ position }: SavedCheckpoint) => told.push(position.events) };
    const engine = createEngine<Hit>()(lastHits);
    events$.pipe(rollingWindow(engine, { scheduler, checkpoint: { store, every, saved } })).subscribe({ error: (error: unknown) => end.push(error), complete: () => end.push('complete') });
    const pass = async (ms: number): Promise<void> => {
      scheduler.advanceBy(ms);
      for (const action of open.splice(0)) {
        if (action.left-- > 0) open.push(action);
        else action.happen();
      }
      await settled();
      expect(told.at(-1) ?? 0, 'what was acknowledged is in the store').toBeLessThanOrEqual(stored());
    };

    for (const [ms, count] of steps) {
      for (let i = 0; i < count; i++) events$.next({ k: String(pushed++ % 3), t: scheduler.now() });
      await pass(ms);
    }
    events$.complete();
    for (let i = 0; i < 400 && end.length === 0; i++) await pass(1000);

    const sorted = (list: readonly number[]): number[] => list.toSorted((a, b) => a - b);
    expect(end).toEqual(['complete']);
    expect(ofStore).toEqual(sorted(ofStore));
    expect(told).toEqual(sorted(told));
    expect(stored()).toBe(pushed);
    const engineAgain = createEngine<Hit>()(lastHits);
    if (pushed > 0) engineAgain.restore(store.parts); // the chain is whole
    expect(engineAgain.position.events).toBe(pushed);
    expect(scheduler.timers).toBe(0);
  };
  // Never eight failures in a row, which would rightly be an error.
  const fates = fc.array(fate, { maxLength: 20, size: 'max' }).map((list) => list.map((one, i): Fate => (i % 7 === 6 ? ['done', one[1]] : one)));
  await fc.assert(fc.asyncProperty(fates, fc.array(step, { minLength: 1, maxLength: 14, size: 'max' }), check), { numRuns: 5000 });
});
