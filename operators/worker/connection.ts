import { RollingWindowError } from '../../src/index.ts';
import { BATCH, FRONTIER, NEXT, WATERMARK } from './cells.ts';
import { EVENTS, EventWriter } from './eventWriter.ts';
import type { RollingBatch } from '../rollingBatches.ts';
import type { AnswerTo, Call, Evaluated, ToPage, ToWorker } from './messages.ts';
import { OnTheirWay, type ProxyLimits } from './onTheirWay.ts';
import { listen, type WorkerPort } from './port.ts';
import { RemoteBatch } from './remoteBatch.ts';
import { RowReader } from './rowReader.ts';
import { unwired } from './wiredError.ts';

/** Who waits for an answer, or for what an evaluation gives. */
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
  follower: Follower | undefined = undefined;
  keyColumns: readonly string[] = [];
  /** Present where the page wants a limit. */
  readonly onTheirWay: OnTheirWay | undefined;
  private readonly number = (connections += 1);
  private readonly port: WorkerPort;
  private readonly events: EventWriter;
  private readonly rows: RowReader = new RowReader();
  private readonly spares: Float64Array<ArrayBuffer>[] = [];
  private readonly sendFull = (): void => this.sendEvents();
  private readonly stopListening: () => void;
  private waiting: Asker<never>[] = [];
  private end: { readonly error: unknown } | undefined = undefined;

  constructor(port: WorkerPort, columns: readonly string[], limits?: ProxyLimits) {
    this.port = port;
    this.onTheirWay = limits && new OnTheirWay(limits);
    this.events = new EventWriter(columns);
    this.begin();
    const message = (given: unknown): void => {
      if ((given as Partial<ToPage> | null)?.rollingWindow === this.number) this.take(given as ToPage);
    };
    this.stopListening = listen(port, { message, lost: (reason, cause) => this.finish(lost(reason, cause)) }, ['messageerror', 'close', 'error', 'exit']);
    this.ask({ name: 'open', columns }, { answered: ({ keyColumns }) => (this.keyColumns = keyColumns), failed: (error) => this.finish(error) });
  }

  /** @throws what ended the connection, where it has ended; `invalid-value` for what can't cross; `limit-exceeded`. */
  push(event: unknown, now: number): void {
    this.mustGoOn();
    if (this.onTheirWay?.take(this.events.count) === false) return;
    this.events.add(event, now);
    if (this.events.count === EVENTS) this.sendEvents();
  }

  /** `push` for each. */
  pushAll(events: Iterable<unknown>, now: number): void {
    if (this.onTheirWay) {
      for (const event of events) this.push(event, now);
      return;
    }
    this.mustGoOn();
    this.events.addAll(events, now, this.sendFull);
    this.mustGoOn(); // a getter may have ended it
  }

  /** Asks for an evaluation, in the head of the buffer of events: one message, and one buffer that is transferred. */
  evaluate<Row, Key>(now: number, asker: Asker<RollingBatch<Row, Key>>): void {
    if (this.end !== undefined) return asker.failed(this.end.error);
    this.waiting.push(asker);
    this.sendEvents(now);
  }

  /** Asks, behind all events that were pushed. Where the call can't be sent the events are, nevertheless. */
  ask<C extends Call>(call: C, asker: Asker<AnswerTo<C>>): void {
    if (this.end !== undefined) return asker.failed(this.end.error);
    this.sendPushed();
    this.waiting.push(asker);
    this.onTheirWay?.ask();
    try {
      this.port.postMessage({ rollingWindow: this.number, call } satisfies ToWorker, []);
    } catch (cause) {
      this.waiting.pop();
      this.onTheirWay?.unask();
      asker.failed(unsendable(call, cause));
    }
  }

  /** Ends it for whoever waits, and for the worker. */
  close(): void {
    if (this.end !== undefined) return;
    this.sendPushed();
    this.port.postMessage({ rollingWindow: this.number, closed: true } satisfies ToWorker, []);
    this.finish(lost('a proxy that was closed'));
  }

  /** A buffer that was read, for further events. */
  private keep(spare: Float64Array<ArrayBuffer>): void {
    if (this.spares.length < SPARES) this.spares.push(spare);
  }

  private mustGoOn(): void {
    if (this.end !== undefined) throw this.end.error;
  }

  private begin(): void {
    this.events.beginEvents(this.spares.pop());
  }

  private sendPushed(): void {
    if (this.events.count > 0) this.sendEvents();
  }

  private sendEvents(evaluateAt?: number): void {
    const { number: rollingWindow, onTheirWay } = this;
    onTheirWay?.send(this.events.count);
    if (evaluateAt !== undefined) onTheirWay?.ask();
    const { cells, news } = this.events.takeEvents(evaluateAt);
    this.begin();
    this.port.postMessage((news ? { rollingWindow, cells, news } : { rollingWindow, cells }) satisfies ToWorker, [cells]);
  }

  private take(message: ToPage): void {
    const { error, spares } = message;
    if (message.lost !== undefined) return this.finish(lost(message.lost));
    if (spares) for (const spare of spares) this.keep(new Float64Array(spare));
    const { waiting } = this, asker = waiting.length === 1 ? waiting.pop() : waiting.shift(); // which is dear
    this.onTheirWay?.answered();
    if (message.cells) return this.takeEvaluated(message as Evaluated, asker);
    if (error === undefined) asker?.answered(message.answer as never);
    else asker?.failed(unwired(error));
    this.follower?.due(message.next);
  }

  /** Rows are read also where nobody waits: texts are sent once. */
  private takeEvaluated(evaluated: Evaluated, asker: Asker<never> | undefined): void {
    const { rows: reader } = this, rows = reader.read(evaluated), next = reader.head(NEXT);
    const batch = new RemoteBatch(reader.head(BATCH), reader.head(FRONTIER), reader.head(WATERMARK), rows, evaluated.removed ?? [], this.keyColumns);
    this.keep(reader.spare);
    asker?.answered(batch as never);
    this.follower?.due(Number.isNaN(next) ? undefined : next);
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
