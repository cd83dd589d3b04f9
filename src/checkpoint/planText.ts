/** What a snapshot says of the plan that it was made with: all that the meaning of a state depends on. */
export interface PlanText {
  readonly keyColumns: readonly string[];
  readonly orderBy: string;
  /** The name of the time adapter, where it has one. */
  readonly time: string | null;
  readonly watermarkBy: string | null;
  readonly measures: readonly MeasureText[];
}

/** A measure in words. The code of a filter and of an aggregate of the user's can't be compared. */
export interface MeasureText {
  readonly name: string;
  /** The name of the aggregate, and whether it is one of the library's. */
  readonly aggregate: string;
  readonly columns: readonly string[];
  readonly parameters: readonly (readonly [name: string, value: number | string | readonly number[]])[];
  /** The frame; null for a lifetime. */
  readonly over: string | null;
  readonly filtered: boolean;
}

export function shownMeasure({ name, aggregate, columns, parameters, over, filtered }: MeasureText): string {
  const made = parameters.map(([parameter, value]) => ` with ${parameter} ${String(value)}`).join('');
  return `${name}: ${aggregate}(${columns.join(', ')}${made})${filtered ? ' filtered' : ''} over ${over ?? 'lifetime'}`;
}
