import type { SchedulerLike } from 'rxjs';
import { alarmOn, type Alarm } from '../alarm.ts';
import type { Notes } from './notes.ts';

/** Who is told when time has passed. */
export interface Watcher {
  /** It is later: what was noted meanwhile is to be counted. */
  wakes(): void;
  /** The open batch is over by the clock, and no evaluation has closed it. */
  batchIsOver(now: number): void;
  silent(now: number): void;
}

/** Waits for silence, and for the ends of long batches that nothing else ends. */
export class Watch {
  /** When an event was there last, on the scheduler. */
  activeAt = 0;
  /** Readings are what the scheduler shows: batches end by themselves. */
  showsScheduler = false;
  isIdle = false;
  private isOver = false;
  private readonly watcher: Watcher;
  /** Has the reading at which the batch under way ends; NaN where none is open. */
  private readonly notes: Pick<Notes, 'due'>;
  private readonly scheduler: SchedulerLike;
  private readonly idleAfter: number;
  private readonly alarm: Alarm;

  constructor(watcher: Watcher, notes: Pick<Notes, 'due'>, scheduler: SchedulerLike, idleAfter: number, turn: (action: () => void) => void) {
    this.watcher = watcher;
    this.notes = notes;
    this.scheduler = scheduler;
    this.idleAfter = idleAfter;
    this.alarm = alarmOn(scheduler, () => turn(() => this.wake()));
  }

  /** An event is there. */
  stir(at: number): void {
    this.activeAt = at;
    if (!this.isIdle) return;
    this.isIdle = false;
    this.set();
  }

  openBatch(due: number): void {
    this.notes.due = due;
    this.set();
  }

  /** Waits for the next instant at which there is something to tell. */
  set(): void {
    if (this.isOver) return; // the listener may have unsubscribed
    const silent = this.isIdle ? Infinity : this.activeAt + this.idleAfter;
    const next = Math.min(silent, this.showsScheduler && !Number.isNaN(this.notes.due) ? this.notes.due : Infinity);
    this.alarm.set(next < Infinity ? next : undefined);
  }

  stop(): void {
    this.isOver = true;
    this.alarm.set(undefined);
  }

  private wake(): void {
    const { watcher } = this, now = this.scheduler.now();
    watcher.wakes();
    if (this.showsScheduler && now >= this.notes.due) watcher.batchIsOver(now);
    if (!this.isOver && !this.isIdle && now >= this.activeAt + this.idleAfter) {
      this.isIdle = true;
      watcher.silent(now);
    }
    this.set();
  }
}
