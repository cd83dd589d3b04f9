import type { SchedulerLike, Subscription } from 'rxjs';
import type { StoredCheckpoint } from '../../src/index.ts';
import { alarmOn, type Alarm } from '../alarm.ts';
import type { CheckpointPlan } from './checkpointOptions.ts';
import { PartTaker, type AnyEngine, type Part, type Slices } from './parts.ts';
import { Saves, type SaveFailure } from './saves.ts';

/** The operator whose checkpoints they are. */
export interface Checkpointed {
  /** Runs an action between events, never inside a burst of rows. */
  turn(action: () => void): void;
  saveFailed(failure: SaveFailure): void;
}

/**
 * The checkpoints of one subscription: when the state is taken, and how.
 *
 * A change sets a timer; when that rings, what has changed since the last time is taken and saved. So nothing is older than
 * `every` in the store, plus the time that the store takes, and without a change there is no timer. What the timer asks
 * for while a save is on its way is taken after it, once: the newest state, not one of each ring.
 */
export class Checkpoints {
  private readonly plan: CheckpointPlan;
  private readonly engine: AnyEngine;
  private readonly scheduler: SchedulerLike;
  private readonly operator: Checkpointed;
  private readonly parts: PartTaker;
  private readonly saves: Saves;
  private readonly alarm: Alarm;
  /** When to save, in the scheduler's time; undefined: nothing has changed. */
  private dueAt: number | undefined = undefined;
  /** It was time while another save was on its way. */
  private overdue = false;
  private slices: Slices | undefined = undefined;
  private slice: Subscription | undefined = undefined;
  /** The source has completed: this part is the last one, and waits for the one before it. */
  private last: Part | undefined = undefined;
  private ended = false;
  private stopped = false;
  private settled: (() => void) | undefined;

  constructor(plan: CheckpointPlan, engine: AnyEngine, scheduler: SchedulerLike, operator: Checkpointed) {
    this.plan = plan;
    this.engine = engine;
    this.scheduler = scheduler;
    this.operator = operator;
    this.parts = new PartTaker(engine);
    this.saves = new Saves(plan.store, scheduler, { turn: (action) => operator.turn(action), saved: (part) => this.saved(part), failed: (failure) => operator.saveFailed(failure) });
    this.alarm = alarmOn(scheduler, () => this.ring());
  }

  /** Takes over what was stored, before anything is counted. */
  restore(stored: StoredCheckpoint | undefined): void {
    if (stored === undefined) return;
    this.parts.restore(stored.parts, this.plan.restoring);
    this.saves.goOn(stored.rev);
  }

  offered(): void {
    if (this.dueAt === undefined) this.changed();
  }

  evaluated(): void {
    if (this.dueAt === undefined) this.changed();
  }

  /** Takes the state of now, in one go: the source has completed, and the last evaluation comes. */
  takeLast(): void {
    const part = this.slices ? this.finishSlices(this.slices) : this.dueAt === undefined ? undefined : this.parts.now();
    this.ended = true;
    this.unchanged();
    this.last = part;
    if (!this.saves.busy) this.saveLast();
  }

  /** Calls back once all that was taken is in the store. */
  whenSettled(settled: () => void): void {
    if (this.saves.busy) this.settled = settled;
    else settled();
  }

  stop(): void {
    this.stopped = true;
    this.alarm.set(undefined);
    this.slice?.unsubscribe();
    this.slices?.stop();
    this.saves.stop();
  }

  private changed(): void {
    if (this.ended) return;
    this.dueAt = this.scheduler.now() + this.plan.every;
    this.alarm.set(this.dueAt);
  }

  private unchanged(): void {
    this.dueAt = undefined;
    this.overdue = false;
    this.alarm.set(undefined);
  }

  private ring(): void {
    if (this.dueAt === undefined) return;
    // An alarm rings too early rather than too late.
    if (this.scheduler.now() < this.dueAt) this.alarm.set(this.dueAt);
    else this.operator.turn(() => this.due());
  }

  private due(): void {
    if (this.ended) return;
    this.overdue = this.saves.busy || this.slices !== undefined;
    if (!this.overdue) this.take();
  }

  /** What one slice can hold is taken at once. */
  private take(): void {
    const slices = (this.slices = this.parts.slices());
    if (slices.step()) this.takeLater(slices, () => this.takeSlice(slices));
    else this.save(this.finishSlices(slices));
  }

  /** The others, the finish, and the save are a task each, so that events come through between them. */
  private takeSlice(slices: Slices): void {
    if (slices.step()) this.takeLater(slices, () => this.takeSlice(slices));
    else this.takeLater(slices, () => this.saveLater(this.finishSlices(slices)));
  }

  private takeLater(slices: Slices, action: () => void): void {
    this.slice = this.scheduler.schedule(() =>
      this.operator.turn(() => {
        if (this.slices === slices) action();
      }),
    );
  }

  private finishSlices(slices: Slices): Part {
    this.slices = undefined;
    this.slice?.unsubscribe();
    return slices.finish();
  }

  private save(part: Part): void {
    this.unchanged();
    this.saves.save(part);
  }

  private saveLater(part: Part): void {
    this.unchanged();
    this.saves.saveLater(part);
  }

  private saved({ id, position }: Part): void {
    this.plan.saved({ id, position });
    if (this.stopped) return;
    if (this.ended) this.saveLast();
    else if (this.overdue) this.take();
  }

  private saveLast(): void {
    const { last } = this;
    this.last = undefined;
    if (last) this.saves.save(last);
    else this.settled?.();
  }
}
