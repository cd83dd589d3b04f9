import { RollingWindowError, type Engine } from '../../src/index.ts';
import { internalsOf } from '../../src/internals.ts';
import { giveBack, takeForUse } from '../engineUse.ts';
import { CellReader } from './cellReader.ts';
import { EVALUATES, NOW, type Cells } from './cells.ts';
import type { AnswerTo, Call, SentRows, ToPage, ToWorker } from './messages.ts';
import { RowWriter } from './rowWriter.ts';
import { wired } from './wiredError.ts';

type Post = (message: ToPage, transfer: ArrayBuffer[]) => void;

/** A call whose answer is sent as it is. */
type PlainCall = Exclude<Call, { readonly name: 'queryAll' }>;

/** What is sent besides the number of the connection and spare buffers. */
type Answer = Omit<ToPage, 'rollingWindow' | 'spares'>;

/** An engine, and the page that it serves. */
export class ServedEngine {
  private readonly engine: Engine<unknown, unknown, unknown>;
  private readonly post: Post;
  private page: ServedPage | undefined = undefined;

  constructor(engine: Engine<unknown, unknown, unknown>, post: Post) {
    this.engine = engine;
    this.post = post;
  }

  take(message: ToWorker): void {
    const { rollingWindow, call, closed } = message;
    if (rollingWindow === this.page?.number) {
      if (closed) this.leave();
      else this.page.take(message);
    } else if (call?.name === 'open') this.welcome(rollingWindow, call.columns);
  }

  /** Tells the page that nothing follows. */
  lose(reason: string): void {
    if (this.page) this.post({ rollingWindow: this.page.number, lost: reason }, []);
    this.leave();
  }

  private welcome(number: number, columns: readonly string[]): void {
    const page = new ServedPage(number, this.engine, columns, this.post);
    try {
      checkColumns(this.engine, columns);
      takeForUse(this.engine, page);
    } catch (error) {
      return this.post({ rollingWindow: number, error: wired(error) }, []);
    }
    this.page = page;
    page.open();
  }

  private leave(): void {
    if (this.page) giveBack(this.engine, this.page);
    this.page = undefined;
  }
}

/** A page that an engine serves: carries out what comes, in order, and answers each call. */
class ServedPage {
  readonly number: number;
  private readonly engine: Engine<unknown, unknown, unknown>;
  private readonly post: Post;
  private readonly reader: CellReader;
  private rows = new RowWriter();
  /** Buffers of events that were read. */
  private spares: Float64Array<ArrayBuffer>[] = [];
  /** What an event threw. As in `pushAll`, those behind it are not in; the next call is answered with it. */
  private fault: { readonly error: unknown } | undefined = undefined;

  constructor(number: number, engine: Engine<unknown, unknown, unknown>, columns: readonly string[], post: Post) {
    this.number = number;
    this.engine = engine;
    this.post = post;
    this.reader = new CellReader(columns);
  }

  open(): void {
    const { engine } = this, { keyColumns } = internalsOf(engine);
    this.send({ answer: { keyColumns }, next: engine.nextBoundary() }, []);
  }

  take({ cells, news, call }: ToWorker): void {
    if (cells) this.takeEvents(news ? { cells, news } : { cells });
    if (call?.name === 'queryAll') this.answer((transfer) => this.written(this.engine.queryAll(call.now), transfer));
    else if (call) this.answer((transfer) => ({ answer: this.done(call, transfer), next: this.engine.nextBoundary() }));
  }

  private takeEvents(events: Cells): void {
    const { reader } = this;
    reader.open(events);
    this.spares.push(reader.spare);
    this.push();
    if (reader.head(EVALUATES) === 1) this.answer((transfer) => this.evaluated(reader.head(NOW), transfer));
  }

  private push(): void {
    const { engine, reader } = this, { count } = reader;
    try {
      for (let i = 0; i < count && this.fault === undefined; i++) engine.push(reader.record(i), reader.readingOf(i));
    } catch (error) {
      this.fault = { error };
    }
  }

  private answer(made: (transfer: ArrayBuffer[]) => Answer): void {
    const transfer: ArrayBuffer[] = [];
    try {
      const { fault } = this;
      this.fault = undefined;
      if (fault) throw fault.error;
      this.sendMade(made(transfer), transfer);
    } catch (error) {
      this.send({ error: wired(error), next: this.engine.nextBoundary() }, []);
    }
  }

  private done(call: PlainCall, transfer: ArrayBuffer[]): AnswerTo<PlainCall> {
    const { engine } = this;
    switch (call.name) {
      case 'query':
        return engine.query(call.key, call.now);
      case 'nextBoundary':
        return engine.nextBoundary(call.key);
      case 'snapshot': {
        const bytes = engine.snapshot(call.options) as Uint8Array<ArrayBuffer>;
        transfer.push(bytes.buffer);
        return bytes;
      }
      case 'restore':
        engine.restore(call.parts, call.options);
        return undefined;
      case 'stats':
        return engine.stats;
      case 'position':
        return engine.position;
      case 'open':
        return undefined; // answered when the page was welcomed
    }
  }

  private evaluated(now: number, transfer: ArrayBuffer[]): Answer {
    const { engine } = this, sent = this.written(engine.advance(now), transfer), { removed } = engine;
    return removed.length > 0 ? { ...sent, removed } : sent;
  }

  /** Rows, and where the engine stands. */
  private written(rows: unknown[], transfer: ArrayBuffer[]): SentRows {
    const { engine } = this, { frontier, watermark } = engine;
    const sent = this.rows.write(rows as Record<string, unknown>[], { batch: internalsOf(engine).batch, frontier, watermark, next: engine.nextBoundary() }, this.spares);
    transfer.push(sent.cells);
    return sent;
  }

  /** An answer that can't be sent is an error like any other. */
  private sendMade(answer: Answer, transfer: ArrayBuffer[]): void {
    try {
      this.send(answer, transfer);
    } catch (cause) {
      this.rows = new RowWriter(); // the page did not get the texts
      throw new RollingWindowError('invalid-value', {
        expected: 'rows that can be sent to the page, as structured cloning copies them',
        given: `the error ${(cause as Error).message}`,
        remedy: 'Give what measures and the time adapter write the form of plain values',
        cause,
      });
    }
  }

  private send(message: Answer, transfer: ArrayBuffer[]): void {
    const { number, spares } = this;
    if (spares.length === 0) return this.post({ rollingWindow: number, ...message }, transfer);
    const buffers = spares.map(({ buffer }) => buffer);
    this.post({ rollingWindow: number, ...message, spares: buffers }, [...transfer, ...buffers]);
    this.spares = [];
  }
}

function checkColumns(engine: object, sent: readonly string[]): void {
  const { columns = [] } = internalsOf(engine);
  const missing = columns.filter((name) => !sent.includes(name));
  if (missing.length === 0) return;
  throw new RollingWindowError('invalid-config', {
    expected: `columns with what the engine reads: ${columns.join(', ')}`,
    given: `[${sent.join(', ')}]`,
    remedy: `Add ${missing.join(', ')} to the columns of engineProxy`,
  });
}
