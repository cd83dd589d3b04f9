/** A value and the time of its event. Never changed, so states may share one. */
export interface TimedValue<T> {
  readonly time: number;
  readonly value: T;
}
