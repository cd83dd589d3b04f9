import type { Listener } from '../../src/index.ts';
import type { OperatorOptions } from '../options.ts';
import type { Progress } from '../progress.ts';

/** What one evaluation came to, with the counters of what was evaluated. */
export type StateProgress<Stats> = Omit<Progress, 'stats'> & { readonly stats: Stats };

/**
 * What an operator adds to the configuration of its core. `Column` is what the clock may read. A `checkpoint`, which is for
 * rolling windows, is the error `invalid-config`: a core that the caller keeps has `snapshot()` and `restore()`.
 */
export interface StateOptions<Stats, Column extends string = string> extends Omit<OperatorOptions<Column>, 'progress' | 'checkpoint'> {
  /** Gets a report after each evaluation, before its values leave. */
  readonly progress?: Listener<StateProgress<Stats>> | undefined;
}
