import type { Listener } from '../../src/index.ts';
import type { SaveFailure } from '../checkpoints/saves.ts';
import type { Ending, Reported } from '../progress.ts';
import type { Moment, QueryEvent, QueryProgress } from './queryProgress.ts';

/** Tells the listener what happens to one subscription. */
export class Announcer {
  private readonly listener: Listener<QueryEvent>;
  private readonly name: string | null;
  private readonly reported: Reported;

  constructor(listener: Listener<QueryEvent>, name: string | null, reported: Reported) {
    this.listener = listener;
    this.name = name;
    this.reported = reported;
  }

  tell(kind: 'started' | 'idle'): void {
    this.listener.next({ kind, ...this.moment });
  }

  report(progress: QueryProgress): void {
    this.listener.next({ kind: 'progress', progress });
  }

  saveFailed(checkpointError: SaveFailure): void {
    this.listener.next({ kind: 'saveFailed', ...this.moment, checkpointError });
  }

  terminated(end: Ending): void {
    this.listener.next({ kind: 'terminated', ...this.moment, ...end });
  }

  private get moment(): Moment {
    const { scheduler, internals } = this.reported;
    return { name: this.name, timestamp: scheduler.now(), batchId: internals.batch };
  }
}
