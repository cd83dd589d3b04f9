import { describe, expect, it } from 'vitest';
import { Turns } from '../../operators/turns.ts';

/** Turns of somebody who notes what happens. */
const turnsWith = ({ isClosed = (): boolean => false, settled = (): void => undefined } = {}) => {
  const log: unknown[] = [];
  const turns = new Turns({
    get closed() {
      return isClosed();
    },
    settled() {
      log.push('settled');
      settled();
    },
    fail: (error) => log.push(error),
  });
  return { log, turns };
};

describe('turns', () => {
  it('take an action inside another after it, and settle once', () => {
    const { log, turns } = turnsWith();
    turns.take((outer) => {
      turns.take((inner) => {
        turns.take((innermost) => log.push(innermost), 3);
        log.push(inner);
      }, 2);
      log.push(outer);
    }, 1);

    expect(log).toEqual([1, 2, 3, 'settled']);
  });

  it('take what arises in settling, and settle again', () => {
    const { log, turns } = turnsWith({
      settled() {
        if (log.length === 2) turns.take(() => log.push('from settling'), undefined);
      },
    });
    turns.take(() => log.push('first'), undefined);

    expect(log).toEqual(['first', 'settled', 'from settling', 'settled']);
  });

  it('hand on what an action throws, and can go on', () => {
    const { log, turns } = turnsWith();
    const broken = new Error('broken');
    turns.take(() => {
      throw broken;
    }, undefined);
    turns.take(() => log.push('next'), undefined);

    expect(log).toEqual([broken, 'next', 'settled']);
  });

  it('take nothing once they are closed, what waits included', () => {
    let closed = false;
    const { log, turns } = turnsWith({ isClosed: () => closed });
    turns.take(() => {
      turns.take(() => log.push('waited'), undefined);
      closed = true;
    }, undefined);
    turns.take(() => log.push('after'), undefined);

    expect(log).toEqual([]);
  });
});
