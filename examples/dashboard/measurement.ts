/** What is measured, in the order in which it is shown. */
export const kinds = ['frame', 'long task', 'event', 'resource', 'TTFB', 'FCP', 'LCP', 'INP', 'CLS', 'flight'] as const;
export type Kind = (typeof kinds)[number];

/** One reading of the browser. */
export interface Measurement {
  readonly kind: Kind;
  /** Where in the page it was, or where a resource lies. */
  readonly route: string;
  /** Milliseconds; minutes of a flight's delay; layout shifts (CLS) are a score. */
  readonly value: number;
  /** When it ended, in epoch milliseconds of the page's clock. */
  readonly at: number;
}
