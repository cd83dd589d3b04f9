import { exposeEngine } from 'rxjs-rolling-window/worker';
import { salesEngine } from './salesEngine.ts';

/** A worker of a browser with an engine. */
exposeEngine(salesEngine());
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data === 'throw') throw new Error('out of order');
});
