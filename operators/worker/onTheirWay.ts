import { RollingWindowError, shown } from '../../src/index.ts';

/** What happens where the worker does not keep up. */
export interface ProxyLimits {
  /** How many events may be on their way: pushed, and not before a call that was answered. From 1. */
  readonly maxEvents: number;
  /** One more is an error of `push`, or is dropped and counted. Default `'error'`. */
  readonly onLimit?: 'error' | 'drop-new' | undefined;
}

/**
 * Counts the events that are on their way to the worker, and says whether there may be one more.
 *
 * A port has no end: it takes buffers for ever, whether the other side reads them or not. An answer tells that all events
 * before its call were read.
 */
export class OnTheirWay {
  dropped: number = 0;
  private readonly most: number;
  private readonly drops: boolean;
  private sent = 0;
  private read = 0;
  /** For each call that waits for its answer, how many events were sent before it. */
  private readonly before: number[] = [];

  /** @throws RollingWindowError `invalid-config` */
  constructor({ maxEvents, onLimit = 'error' }: ProxyLimits) {
    if (!(maxEvents >= 1)) throw invalid('a number from 1 in limits.maxEvents', maxEvents);
    if (!['error', 'drop-new'].includes(onLimit)) throw invalid("limits.onLimit to be one of 'error', 'drop-new'", onLimit);
    this.most = maxEvents;
    this.drops = onLimit === 'drop-new';
  }

  /**
   * Whether one more is taken, where so many are gathered that have not been sent.
   *
   * @throws RollingWindowError `limit-exceeded`
   */
  take(gathered: number): boolean {
    if (this.sent + gathered - this.read < this.most) return true;
    if (!this.drops) throw tooMany(this.most);
    this.dropped += 1;
    return false;
  }

  send(events: number): void {
    this.sent += events;
  }

  ask(): void {
    this.before.push(this.sent);
  }

  /** The last call could not be sent. */
  unask(): void {
    this.before.pop();
  }

  answered(): void {
    this.read = this.before.shift() ?? this.read;
  }
}

function invalid(expected: string, given: unknown): RollingWindowError {
  return new RollingWindowError('invalid-config', { expected, given: shown(given) });
}

function tooMany(most: number): RollingWindowError {
  return new RollingWindowError('limit-exceeded', {
    expected: `at most ${String(most)} events on their way to the worker`,
    given: 'one more',
    remedy: "Raise limits.maxEvents of engineProxy, push less, await answers more often, or choose onLimit: 'drop-new'",
  });
}
