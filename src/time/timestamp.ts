/**
 * Reads a time column and writes the frontier column. Inside, every time is a double in epoch milliseconds.
 */
export interface TimeAdapter<In = unknown, Out = unknown> {
  /** Epoch milliseconds, fractions allowed; NaN where the value is no instant. Never throws. */
  read(value: In): number;
  /** The frontier as it stands in rows. Before the first evaluation the frontier is minus infinity. */
  write(frontier: number): Out;
}
