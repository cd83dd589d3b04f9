import { describe, expect, it } from 'vitest';
import { turnsOf } from '../../operators/turns.ts';

const turnsWith = (isClosed: () => boolean = () => false) => {
  const log: unknown[] = [];
  const turn = turnsOf({ isClosed, fail: (error) => log.push(error) }, () => log.push('settled'));
  return { log, turn };
};

describe('turns', () => {
  it('take an action inside another after it, and settle once', () => {
    const { log, turn } = turnsWith();
    turn((outer) => {
      turn((inner) => {
        turn((innermost) => log.push(innermost), 3);
        log.push(inner);
      }, 2);
      log.push(outer);
    }, 1);

    expect(log).toEqual([1, 2, 3, 'settled']);
  });

  it('take what arises in settling, and settle again', () => {
    const log: unknown[] = [];
    const turn = turnsOf({ isClosed: () => false, fail: (error) => log.push(error) }, () => {
      if (log.push('settled') === 2) turn(() => log.push('from settling'), undefined);
    });
    turn(() => log.push('first'), undefined);

    expect(log).toEqual(['first', 'settled', 'from settling', 'settled']);
  });

  it('hand on what an action throws, and can go on', () => {
    const { log, turn } = turnsWith();
    const broken = new Error('broken');
    turn(() => {
      throw broken;
    }, undefined);
    turn(() => log.push('next'), undefined);

    expect(log).toEqual([broken, 'next', 'settled']);
  });

  it('take nothing once they are closed, what waits included', () => {
    let closed = false;
    const { log, turn } = turnsWith(() => closed);
    turn(() => {
      turn(() => log.push('waited'), undefined);
      closed = true;
    }, undefined);
    turn(() => log.push('after'), undefined);

    expect(log).toEqual([]);
  });
});
