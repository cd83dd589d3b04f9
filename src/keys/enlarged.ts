/** The same typed array, longer, with the old content in front. */
export function enlarged<A extends Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(old: A, size: number): A {
  const bigger = new (old.constructor as new (length: number) => A)(size);
  bigger.set(old);
  return bigger;
}

/** For how many slots to make room where this one does not fit: by half more, and where there are many by a quarter. */
export function roomFor(slot: number): number {
  return Math.max(16, Math.ceil((slot + 1) * (slot < 1 << 16 ? 1.5 : 1.25)));
}
