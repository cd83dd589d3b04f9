import type { SchedulerAction, SchedulerLike, Subscription } from 'rxjs';
import type { WorkerPort } from '../../operators/worker/index.ts';

type Listener = (event: never) => void;

/** One end of a line between two threads that are one: messages are copied, buffers go over, and arrive when the line says. */
export class LinkedPort implements WorkerPort {
  other: LinkedPort | undefined;
  readonly sent: unknown[] = [];
  readonly listeners = new Set<Listener>();
  private readonly byType = new Map<string, Set<Listener>>();
  private readonly deliver: (arrive: () => void) => void;

  constructor(deliver: (arrive: () => void) => void) {
    this.deliver = deliver;
  }

  postMessage(message: unknown, transfer: ArrayBuffer[]): void {
    const data: unknown = structuredClone(message, { transfer });
    this.sent.push(data);
    this.deliver(() => this.other?.dispatch('message', { data }));
  }

  addEventListener(type: string, listener: Listener): void {
    this.byType.set(type, (this.byType.get(type) ?? new Set()).add(listener));
    this.listeners.add(listener);
  }

  removeEventListener(type: string, listener: Listener): void {
    this.byType.get(type)?.delete(listener);
    this.listeners.delete(listener);
  }

  dispatch(type: string, event: object): void {
    for (const listener of [...(this.byType.get(type) ?? [])]) listener(event as never);
  }
}

/** Two ends. Messages take `latency` of a scheduler's time; none at all where there is no scheduler. */
export function linkedPorts(scheduler?: SchedulerLike, latency = 0): [page: LinkedPort, worker: LinkedPort] {
  const deliver = (arrive: () => void): void => {
    if (scheduler) scheduler.schedule(arrive, latency);
    else arrive();
  };
  const page = new LinkedPort(deliver), worker = new LinkedPort(deliver);
  page.other = worker;
  worker.other = page;
  return [page, worker];
}

/** Frames of a scheduler: the next turn is the next multiple of 16 ms. */
export class Frames implements SchedulerLike {
  asked = 0;
  private readonly scheduler: SchedulerLike;

  constructor(scheduler: SchedulerLike) {
    this.scheduler = scheduler;
  }

  now(): number {
    return this.scheduler.now();
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, _delay?: number, state?: T): Subscription {
    this.asked += 1;
    return this.scheduler.schedule(work, 16 - (this.now() % 16), state);
  }
}
