export type Duration = number | string;
export function durationMs(duration: Duration, _options: { positive?: boolean } = {}): number { return Number(duration); }
