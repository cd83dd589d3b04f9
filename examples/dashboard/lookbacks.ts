/** The lengths of the windows, by the name that ends their columns. */
export const lookbacks = {
  '10s': { seconds: 10, title: '10 seconds' },
  '1m': { seconds: 60, title: '1 minute' },
  '5m': { seconds: 300, title: '5 minutes' },
} as const;
export type Lookback = keyof typeof lookbacks;
