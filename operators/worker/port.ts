// Ports differ in what they give to listeners, and no narrower type takes the listeners of all.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type PortCallback = (given: any) => void;

/**
 * One end of a line to another thread: a `Worker` or a `MessagePort`, of a browser or of Node's `worker_threads`, or the
 * global scope of a worker.
 */
export interface WorkerPort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener?(type: string, listener: PortCallback): void;
  removeEventListener?(type: string, listener: PortCallback): void;
  on?(type: string, listener: PortCallback): unknown;
  off?(type: string, listener: PortCallback): unknown;
  start?(): void;
}

/** What is heard from the other end. */
interface PortListener {
  readonly message: (message: unknown) => void;
  /** Nothing comes any more, or what came can't be read. */
  readonly lost: (reason: string, cause?: unknown) => void;
}

/** Events that end what goes through a port, as they are told of. */
export type Ending = 'messageerror' | 'close' | 'error' | 'exit';

const reasons: Readonly<Record<Ending, (given: unknown) => string>> = {
  messageerror: () => 'a message that cannot be read',
  close: () => 'a port that was closed',
  error: (given) => `the error ${String((given as { readonly message?: unknown } | null)?.message)}`,
  exit: (code) => `the end of the worker, with code ${String(code)}`,
};

/** Hears a port, until the function that it gives is called. */
export function listen(port: WorkerPort, { message, lost }: PortListener, endings: readonly Ending[]): () => void {
  // Emitters of Node give what was sent, event targets an event that holds it.
  const isEmitter = typeof port.on === 'function';
  const listeners: [type: string, listener: PortCallback][] = endings.map((type) => [type, (given: unknown) => lost(reasons[type](given), given)]);
  listeners.push(['message', isEmitter ? message : ({ data }: { readonly data: unknown }) => message(data)]);
  for (const [type, listener] of listeners) {
    if (isEmitter) port.on?.(type, listener);
    else port.addEventListener?.(type, listener);
  }
  port.start?.();
  return () => {
    for (const [type, listener] of listeners) {
      if (isEmitter) port.off?.(type, listener);
      else port.removeEventListener?.(type, listener);
    }
  };
}
