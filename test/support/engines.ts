import type { OperatorFunction } from 'rxjs';
import { rollingWindow, type OperatorOptions } from '../../operators/index.ts';
import type { AnyEngineConfig } from '../../src/config.ts';
import { createEngine } from '../../src/engine.ts';
import type { Columns, StartEngine } from './duel.ts';

/** The engine for configurations that are put together at run time, whose rows no compiler can know. */
export const startEngine: StartEngine = (config) => createEngine<Columns>()(config as never);

/** The operator, likewise. */
export const windowed = (config: AnyEngineConfig & OperatorOptions): OperatorFunction<Columns, Columns> => rollingWindow(config as never);
