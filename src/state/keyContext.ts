import { RollingWindowError, shown } from '../errors.ts';
import { invalidConfig } from '../settings.ts';
import type { StateContext } from './keyedStateConfig.ts';
import type { KeyStates } from './keyStates.ts';

type Context = StateContext<unknown, object>;

/** One key, while one of its callbacks runs. */
export class KeyContext implements Context {
  readonly now: number;
  readonly watermark: number;
  /** Whether the key is to be forgotten. */
  isCleared = false;
  private readonly states: KeyStates;
  private readonly slot: number;
  private readonly hasOnTimer: boolean;
  private isOver = false;
  private readonly keyOf: (slot: number) => object;
  private known: object | undefined = undefined;

  constructor(states: KeyStates, slot: number, keyOf: (slot: number) => object, now: number, watermark: number, hasOnTimer: boolean) {
    this.states = states;
    this.slot = slot;
    this.keyOf = keyOf;
    this.now = now;
    this.watermark = watermark;
    this.hasOnTimer = hasOnTimer;
  }

  /** Made when it is asked for: most callbacks never do. */
  get key(): object {
    if (this.known === undefined) this.check();
    return (this.known ??= this.keyOf(this.slot));
  }

  readonly replace: Context['replace'] = (state) => {
    this.check();
    this.states.replace(this.slot, state);
  };

  readonly setTimer: Context['setTimer'] = (at, name = '') => {
    this.check();
    if (!this.hasOnTimer) throw invalidConfig({ expected: 'onTimer where a timer is set', given: 'none', remedy: 'Add onTimer: a timer that nobody takes is of no use' });
    // Not by arithmetic: a date, or a text with digits, would pass for a number until it is compared.
    if (!Number.isFinite(at)) {
      throw new RollingWindowError('invalid-time', { expected: 'the time of a timer in epoch milliseconds', given: shown(at), remedy: 'Add milliseconds to context.now; durationMs reads a length of time' });
    }
    this.states.setTimer(this.slot, name, at);
  };

  readonly cancelTimer: Context['cancelTimer'] = (name = '') => {
    this.check();
    return this.states.timers.cancel(this.slot, name);
  };

  readonly timer: Context['timer'] = (name = '') => {
    this.check();
    return this.states.timers.atOf(this.slot, name);
  };

  readonly clear: Context['clear'] = () => {
    this.check();
    this.isCleared = true;
  };

  /** The callback has returned: the slot may be another key's from now on. */
  end(): void {
    this.isOver = true;
  }

  private check(): void {
    if (!this.isOver) return;
    throw invalidConfig({ expected: 'a context that is used while its callback runs', given: 'one whose callback has returned', remedy: 'Set a timer inside the callback, and go on in onTimer' });
  }
}
