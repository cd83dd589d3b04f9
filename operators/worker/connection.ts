import { RollingWindowError } from '../../src/index.ts';
import { EVENTS, EventWriter } from './eventWriter.ts';
import type { AnswerTo, Call, ToPage, ToWorker } from './messages.ts';
import { listen, type WorkerPort } from './port.ts';
import { unwired } from './wiredError.ts';

/** Who waits for an answer. */
export interface Asker<Answer> {
  answered(answer: Answer): void;
  failed(error: unknown): void;
}

/** Who follows a connection: a pipe. */
export interface Follower {
  /** When the engine is due next, as of the last answer. */
  due(next: number | undefined): void;
  lost(error: unknown): void;
}

/** How many buffers are kept for further events. */
const SPARES = 4;

let connections = 0;

/** The page's end: gathers events, sends calls behind them, and gives each answer to whoever waits for it. */
export class Connection {
  follower: Follower | undefined;
  keyColumns: readonly string[] = [];
  private readonly number = (connections += 1);
  private readonly port: WorkerPort;
  private readonly events: EventWriter;
  private readonly spares: ArrayBuffer[] = [];
  private readonly stopListening: () => void;
  private waiting: Asker<never>[] = [];
  private end: { readonly error: unknown } | undefined;

  constructor(port: WorkerPort, columns: readonly string[]) {
    this.port = port;
    this.events = new EventWriter(columns);
    this.begin();
    const message = (given: unknown): void => {
      if ((given as Partial<ToPage> | null)?.rollingWindow === this.number) this.take(given as ToPage);
    };
    this.stopListening = listen(port, { message, lost: (reason, cause) => this.finish(lost(reason, cause)) }, ['messageerror', 'close', 'error', 'exit']);
    this.ask({ name: 'open', columns }, { answered: ({ keyColumns }) => (this.keyColumns = keyColumns), failed: (error) => this.finish(error) });
  }

  /** @throws what ended the connection, where it has ended; `invalid-value` for what can't cross. */
  push(event: unknown, now: number): void {
    if (this.end !== undefined) throw this.end.error;
    this.events.add((event ?? {}) as Record<string, unknown>, now);
    if (this.events.count === EVENTS) this.sendEvents();
  }

  /** Asks, behind all events that were pushed. Where the call can't be sent the events are, nevertheless. */
  ask<C extends Call>(call: C, asker: Asker<AnswerTo<C>>): void {
    if (this.end !== undefined) return asker.failed(this.end.error);
    if (call.name !== 'advance') this.sendEvents();
    this.waiting.push(asker);
    try {
      this.send(call);
    } catch (cause) {
      this.waiting.pop();
      asker.failed(unsendable(call, cause));
    }
  }

  /** Ends it for whoever waits, and for the worker. */
  close(): void {
    if (this.end !== undefined) return;
    this.sendEvents();
    this.port.postMessage({ rollingWindow: this.number, closed: true } satisfies ToWorker, []);
    this.finish(lost('a proxy that was closed'));
  }

  /** A buffer that was read, for further events. */
  keep(spare: ArrayBuffer): void {
    if (this.spares.length < SPARES) this.spares.push(spare);
  }

  private begin(): void {
    this.events.beginEvents(this.spares.pop());
  }

  private sendEvents(): void {
    if (this.events.count > 0) this.send(undefined);
  }

  private send(call: Call | undefined): void {
    const { port, number: rollingWindow } = this;
    if (this.events.count === 0) return port.postMessage({ rollingWindow, call } satisfies ToWorker, []);
    const events = this.events.takeEvents();
    this.begin();
    port.postMessage((call ? { rollingWindow, events, call } : { rollingWindow, events }) satisfies ToWorker, [events.buffer]);
  }

  private take({ answer, error, next, spares, lost: reason }: ToPage): void {
    if (reason !== undefined) return this.finish(lost(reason));
    if (spares) for (const spare of spares) this.keep(spare);
    const asker = this.waiting.shift();
    if (error === undefined) asker?.answered(answer as never);
    else asker?.failed(unwired(error));
    this.follower?.due(next);
  }

  private finish(error: unknown): void {
    if (this.end !== undefined) return;
    this.end = { error };
    this.stopListening();
    const { waiting, follower } = this;
    this.waiting = [];
    for (const asker of waiting) asker.failed(error);
    follower?.lost(error);
  }
}

function lost(given: string, cause?: unknown): RollingWindowError {
  return new RollingWindowError('worker-lost', { expected: 'a worker that answers', given, remedy: 'Start a new worker and a new proxy, and restore the last snapshot there', ...(cause !== undefined && { cause }) });
}

function unsendable({ name }: Call, cause: unknown): RollingWindowError {
  return new RollingWindowError('invalid-value', { expected: `arguments of ${name}() that can be sent to a worker`, given: `the error ${(cause as Error).message}`, remedy: 'Pass plain values', cause });
}
