type Constructor = new (...given: unknown[]) => object;
const named = ['ArrayBuffer', 'Uint8Array', 'Int32Array', 'Uint32Array', 'Float64Array', 'BigInt64Array', 'Array'] as const;
const copying = ['slice', 'map', 'filter'] as const;

/**
 * How many bytes of arrays an action asks for, whether it fails or not: counted where they are made, so that the answer is
 * the same each time. A place in an ordinary array counts as 8.
 */
export function bytesAskedFor(action: () => unknown): number {
  let bytes = 0;
  const world = globalThis as unknown as Record<string, Constructor>;
  const originals = named.map((name) => [name, world[name]!] as const);
  const typed = Object.getPrototypeOf(Uint8Array.prototype) as Record<string, (...given: unknown[]) => { byteLength: number }>;
  const methods = copying.map((name) => [name, typed[name]!] as const);
  for (const [name, original] of originals) {
    const size = name === 'Array' ? 8 : name === 'ArrayBuffer' ? 1 : (original as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
    world[name] = new Proxy(original, {
      construct(target, given: unknown[], newTarget) {
        const [first] = given, length = typeof first === 'number' ? first : Array.isArray(first) || (ArrayBuffer.isView(first) && 'length' in first) ? (first as ArrayLike<unknown>).length : 0;
        bytes += length * size;
        return Reflect.construct(target, given, newTarget) as object;
      },
    });
  }
  for (const [name, method] of methods) {
    typed[name] = function (this: unknown, ...given) {
      const made = method.apply(this, given);
      bytes += made.byteLength;
      return made;
    };
  }
  try {
    action();
  } catch {
    // What it asked for until then is what is asked here.
  } finally {
    for (const [name, original] of originals) world[name] = original;
    for (const [name, method] of methods) typed[name] = method;
  }
  return bytes;
}
