import { exposeEngine } from 'rxjs-rolling-window/worker';
import { openPerKind, openPerRoute } from './engines/plans.ts';

/** The worker's end of a channel for each engine. */
export interface WorkerPorts {
  readonly perRoute: MessagePort;
  readonly perKind: MessagePort;
}

addEventListener('message', ({ data: { perRoute, perKind } }: MessageEvent<WorkerPorts>) => {
  exposeEngine(openPerRoute(), perRoute);
  exposeEngine(openPerKind(), perKind);
});
