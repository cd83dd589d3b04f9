import type { Observable, SchedulerLike, Subscriber } from 'rxjs';
import { alarmOn, type Alarm } from '../alarm.ts';
import { giveBack, takeForUse } from '../engineUse.ts';
import type { RollingBatch } from '../rollingBatches.ts';
import { nextTurnOf, type NextTurn } from '../triggers/nextTurn.ts';
import { tellable } from '../triggers/realTime.ts';
import type { Turns } from '../turns.ts';
import { TurnSubscriber } from '../turnSubscriber.ts';
import type { Asker, Follower } from './connection.ts';
import type { RemoteEngine } from './remoteEngine.ts';

export type DeliverBatch<Row, Key, Out> = (batch: RollingBatch<Row, Key>, subscriber: Subscriber<Out>) => void;

/** What a drive goes by. */
export interface Pace {
  readonly scheduler: SchedulerLike;
  readonly coalesce: SchedulerLike;
  readonly flush$: Observable<unknown> | undefined;
}

/**
 * One subscription that drives an engine in a worker: one evaluation a turn while something is due, and never a second
 * one on its way. Events that come meanwhile wait for the turn after the answer, so a worker that is slow gets fewer and
 * larger batches, not a queue of evaluations.
 */
export class WorkerDrive<E, Row, Key, Out> implements Follower {
  readonly scheduler: SchedulerLike;
  private readonly engine: RemoteEngine<E, Row, Key>;
  private readonly deliver: DeliverBatch<Row, Key, Out>;
  private readonly subscriber: Subscriber<Out>;
  private readonly flush$: Observable<unknown> | undefined;
  private readonly alarm: Alarm;
  private readonly nextTurn: NextTurn;
  private readonly asker: Asker<RollingBatch<Row, Key>> = { answered: (batch) => this.evaluated(batch), failed: (error) => this.fail(error) };
  private boundary: number | undefined = undefined;
  /** The reading of the last evaluation. */
  private shown: number = -Infinity;
  /** An evaluation is on its way, or its rows are being handed on. */
  private onItsWay = false;
  /** Something came meanwhile. */
  private behind = false;
  /** The next evaluation was asked for, and waits for no turn. */
  private pressed = false;
  private hasEnded = false;
  private isLast = false;

  constructor(engine: RemoteEngine<E, Row, Key>, { scheduler, coalesce, flush$ }: Pace, deliver: DeliverBatch<Row, Key, Out>, subscriber: Subscriber<Out>) {
    this.scheduler = scheduler;
    this.flush$ = flush$;
    this.engine = engine;
    this.deliver = deliver;
    this.subscriber = subscriber;
    this.alarm = alarmOn(scheduler, () => this.wake());
    this.nextTurn = nextTurnOf(coalesce, this, () => this.evaluate());
    this.onClose(() => this.alarm.set(undefined));
  }

  run(source: Observable<E | readonly E[]>): void {
    const { engine, subscriber } = this, { connection } = engine;
    takeForUse(engine, subscriber);
    connection.follower = this;
    this.onClose(() => {
      giveBack(engine, subscriber);
      if (connection.follower === this) connection.follower = undefined;
    });
    // What a restored engine still owes is due without any event: the answer says when.
    connection.ask({ name: 'nextBoundary', key: undefined }, { answered: () => undefined, failed: (error) => this.fail(error) });
    if (this.flush$) this.listen(this.flush$, () => this.flush(), () => undefined);
    this.listen(source, (event) => this.arrived(event), () => this.finish());
  }

  private listen<T>(given$: Observable<T>, next: (value: T) => void, complete: () => void): void {
    if (this.subscriber.closed) return;
    const inlet = new TurnSubscriber<T>(atOnce, { next, error: (error) => this.fail(error), complete });
    this.subscriber.add(inlet);
    inlet.add(given$.subscribe(inlet));
  }

  due(next: number | undefined): void {
    this.boundary = next;
    this.setAlarm();
  }

  lost(error: unknown): void {
    this.fail(error);
  }

  turn(action: () => void): void {
    action();
  }

  onClose(teardown: () => void): void {
    this.subscriber.add(teardown);
  }

  private arrived(given: E | readonly E[]): void {
    const now = this.scheduler.now();
    try {
      if (Array.isArray(given)) this.engine.pushAll(given as readonly E[], now);
      else this.engine.push(given as E, now);
    } catch (error) {
      return this.fail(error);
    }
    this.want();
  }

  /** An evaluation is wanted: at the next turn, or at the one after the answer. */
  private want(): void {
    if (this.onItsWay) this.behind = true;
    else if (!this.hasEnded) this.nextTurn.ask();
  }

  /** After the end of the source the last evaluation comes in any case. */
  private flush(): void {
    if (this.onItsWay) this.pressed = true;
    else if (!this.hasEnded) this.evaluate();
  }

  private evaluate(): void {
    this.nextTurn.cancel();
    this.onItsWay = true;
    this.behind = this.pressed = false;
    this.shown = this.scheduler.now();
    this.engine.evaluate(this.shown, this.asker);
  }

  private evaluated(batch: RollingBatch<Row, Key>): void {
    const { subscriber, isLast } = this;
    if (!subscriber.closed) this.deliver(batch, subscriber);
    this.onItsWay = false;
    if (subscriber.closed) return;
    if (isLast) this.complete();
    else if (this.hasEnded) this.evaluateLast();
    else if (this.pressed) this.evaluate();
    else if (this.behind) this.want();
  }

  /** It stays set while a turn was asked for, or an evaluation is on its way: an idle ring costs less than to set it anew. */
  private setAlarm(): void {
    if (!this.subscriber.closed) this.alarm.set(this.hasEnded ? undefined : tellable(this.boundary));
  }

  private wake(): void {
    const due = tellable(this.boundary), now = this.scheduler.now();
    if (due === undefined || this.onItsWay) return; // the answer sets it again
    // Where the clock was set back, the time that was waited for may be far off again.
    if (now >= due || now < this.shown) this.want();
    else this.setAlarm();
  }

  private finish(): void {
    this.hasEnded = true;
    this.setAlarm();
    if (!this.onItsWay) this.evaluateLast();
  }

  private evaluateLast(): void {
    this.isLast = true;
    this.evaluate();
  }

  private complete(): void {
    giveBack(this.engine, this.subscriber);
    this.subscriber.complete();
  }

  private fail(error: unknown): void {
    giveBack(this.engine, this.subscriber);
    this.subscriber.error(error);
  }
}

/** No turns: what comes while rows are handed on is only written into a buffer. */
const atOnce: Pick<Turns, 'take'> = { take: (action, value) => action(value) };
