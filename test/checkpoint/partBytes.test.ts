import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PartBytes } from '../../src/checkpoint/partBytes.ts';

const MEGA = 1 << 20;

test('what was added stands in its order, whatever moved meanwhile', () => {
  const action = fc.oneof(
    fc.tuple(fc.constant('add' as const), fc.integer({ min: 0, max: 2 * MEGA })),
    fc.tuple(fc.constant('resize' as const), fc.integer({ min: 0, max: MEGA })),
    fc.tuple(fc.constant('move' as const)),
  );
  const run = (actions: (readonly ['add' | 'resize', number] | readonly ['move'])[]): void => {
    const bytes = new PartBytes(10, 100), added: Uint8Array[] = [];
    actions.forEach(([kind, count = 0], i) => {
      if (kind === 'move') bytes.move();
      else if (kind === 'resize') bytes.resize(count, i);
      else {
        const more = new Uint8Array(count).fill(i + 1);
        added.push(more);
        bytes.add(more);
      }
    });
    const whole = bytes.whole().subarray(bytes.start, bytes.end);
    expect(Buffer.compare(whole, Buffer.concat(added))).toBe(0);
  };
  fc.assert(fc.property(fc.array(action, { maxLength: 12, size: 'max' }), run), { numRuns: 40 });
});

test('a step moves a megabyte at most', () => {
  const bytes = new PartBytes(0, 5 * MEGA);
  bytes.add(new Uint8Array(5 * MEGA));
  bytes.resize(3, 0);
  let steps = 1;
  for (; bytes.move(); steps++);
  expect(steps).toBe(5);
});
