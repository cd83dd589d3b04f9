/** The same typed array, longer, with the old content in front. */
export function enlarged<A extends Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(old: A, size: number): A {
  const bigger = new (old.constructor as new (length: number) => A)(size);
  bigger.set(old);
  return bigger;
}
