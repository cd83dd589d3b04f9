import { describe, expect, test } from 'vitest';
import type { Aggregate } from '../../src/aggregates/aggregate.ts';
import { checkLaws } from '../../src/testing/laws.ts';

interface Bag {
  values: number[];
}
const bag: Aggregate<number, Bag, number> = {
  name: 'bag',
  zero: () => ({ values: [] }),
  reduce(state, value) {
    state.values.push(value);
    return state;
  },
  merge(into, from) {
    into.values.push(...from.values);
    return into;
  },
  finish: ({ values }) => values.reduce((sum, value) => sum + value, 0),
};
const shared: Bag = { values: [] };
const padding: Aggregate<number[], number, number> = {
  name: 'padding',
  zero: () => 0,
  reduce(state, value) {
    value.push(0);
    return value.reduce((sum, part) => sum + part, state);
  },
  merge: (a, b) => a + b,
  finish: (state) => state,
};

/** What slides: values with their times. */
const recent: Aggregate<number, [number, number][], number> = {
  name: 'recent',
  zero: () => [],
  reduce: (state, value, time) => [...state, [value, time]],
  merge: (into, from) => [...into, ...from],
  expire: (state, cutoff) => state.filter(([, time]) => time > cutoff),
  finish: (state) => state.reduce((sum, [value]) => sum + value, 0),
};

describe('checkLaws', () => {
  test('finds nothing wrong where nothing is', () => {
    checkLaws(bag, [1, 2, 3]);
    checkLaws(bag, []);
    checkLaws({ ...bag, retract: (state, value) => ({ values: state.values.toSpliced(state.values.indexOf(value), 1) }) }, [1, 2, 2]);
  });

  test.each<[string, Aggregate<number, Bag, number>]>([
    ['identity', { ...bag, merge: (into, from) => ({ values: from.values.length === 0 ? [] : [...into.values, ...from.values] }) }],
    ['identity', { ...bag, merge: (into, from) => ({ values: into.values.length === 0 ? [] : [...into.values, ...from.values] }) }],
    ['homomorphism', { ...bag, merge: (into, from) => ({ values: [...into.values, ...(into.values.length > 0 ? from.values.slice(1) : from.values)] }) }],
    // The mean of means, each part weighing the same: right for two parts of one value each, not for more.
    [
      'homomorphism',
      {
        ...bag,
        reduce: (state, value) => ({ values: [...state.values, value] }),
        merge: (into, from) => (into.values.length === 0 || from.values.length === 0 ? { values: [...into.values, ...from.values] } : { values: [mean(into.values), mean(from.values)] }),
        finish: ({ values }) => mean(values),
      },
    ],
    // `from` is emptied.
    [
      'merge leaves its second argument',
      {
        ...bag,
        merge(into, from) {
          into.values.push(...from.values.splice(0));
          return into;
        },
      },
    ],
    // `from` lives on as the merged state.
    [
      'merge takes over nothing',
      {
        ...bag,
        merge(into, from) {
          if (into.values.length === 0) return from;
          into.values.push(...from.values);
          return into;
        },
      },
    ],
    [
      'purity',
      {
        ...bag,
        finish(state) {
          state.values.push(1);
          return state.values.reduce((sum, value) => sum + value, -1);
        },
      },
    ],
    ['undo', { ...bag, retract: (state) => ({ values: state.values.slice(1) }) }],
    ['encoded and decoded finishes', { ...bag, encode: ({ values }) => values.slice(1), decode: (values) => ({ values: [...(values as number[])] }) }],
    ['goes on', { ...bag, encode: ({ values }) => values, decode: (values) => frozen(values as number[]) }],
  ])('%s, broken, is named with the values', (law, broken) => {
    expect(() => {
      checkLaws(broken, [1, 2, 4, 8]);
    }).toThrow(new RegExp(`bag to keep the law of .*${law}.*\\[.*4.*8\\]`));
  });

  test('values leave by their times, which are 0, 1, 2 and so on, or given', () => {
    checkLaws(recent, [1, 2, 4, 8]);
    checkLaws(recent, [1, 2, 4, 8], { times: [-5, 0.5, 0.5, 1e12] });
    const seen: number[] = [];
    const noting = { ...recent, reduce: (state: [number, number][], value: number, time: number): [number, number][] => (seen.push(time), [...state, [value, time]]) };
    checkLaws(noting, [1, 2], { times: [7, 9] });
    expect([...new Set(seen)].sort()).toEqual([7, 9]);
  });

  test.each<[string, Partial<typeof recent>]>([
    ['at or before the cutoff', { expire: (state, cutoff) => state.filter(([, time]) => time >= cutoff) }],
    ['at or before the cutoff', { expire: (state, cutoff) => (cutoff > 1 ? [] : state.filter(([, time]) => time > cutoff)) }],
    // What comes late is put at the end, and only the front is looked at.
    ['late values', { finish: (state) => state.filter(([, time], i) => i === 0 || time >= state[i - 1]![1]).reduce((sum, [value]) => sum + value, 0) }],
    ['goes on after it', { expire: (state, cutoff) => Object.assign(state.filter(([, time]) => time > cutoff), { closed: true }), reduce: (state, value, time) => ('closed' in state ? state : [...state, [value, time]]) }],
    ['after a merge', { merge: (into, from) => [...into, ...from.map(([value]): [number, number] => [value, 1e9])] }],
  ])('expiry, broken (%s), is named', (law, broken) => {
    expect(() => {
      checkLaws({ ...recent, ...broken }, [1, 2, 4, 8]);
    }).toThrow(new RegExp(`recent to keep the law of expiry: .*${law}.*\\[.*8.*\\]`));
  });

  test('a zero that is shared is found', () => {
    shared.values.length = 0;
    expect(() => {
      checkLaws({ ...bag, zero: () => shared }, [1, 2]);
    }).toThrow('bag to keep the law of');
  });

  test('a merge that goes well for two parts and not for three is found', () => {
    // Each merge counts itself: a fold has none, any cut in two has one.
    interface Cut {
      values: number[];
      merges: number;
    }
    const counting: Aggregate<number, Cut, number> = {
      name: 'cut',
      zero: () => ({ values: [], merges: 0 }),
      reduce: (state, value) => ({ ...state, values: [...state.values, value] }),
      merge: (a, b) => ({ values: [...a.values, ...b.values], merges: a.merges + b.merges + Number(a.values.length > 0 && b.values.length > 0) }),
      finish: ({ values, merges }) => values.length + Math.max(0, merges - 1),
    };
    expect(() => {
      checkLaws(counting, [1, 2, 3]);
    }).toThrow('associativity: merge(a, merge(b, c)) finishes like merge(merge(a, b), c): 3; got 4 for [[1], [2], [3]]');
  });

  test('values that reduce changes are found, though every answer is right', () => {
    expect(() => {
      checkLaws(padding, [[1], [2]]);
    }).toThrow('padding to keep the law of ownership: values stay as they were: [[1], [2]]; got [[1, 0');
  });

  test('a state that no snapshot can hold is found', () => {
    const set: Aggregate<number, Set<number>, number> = {
      name: 'set',
      zero: () => new Set(),
      reduce: (state, value) => state.add(value),
      merge: (into, from) => new Set([...into, ...from]),
      finish: ({ size }) => size,
    };
    expect(() => {
      checkLaws(set, [1]);
    }).toThrow("a snapshot can't hold [object Set]");
    checkLaws({ ...set, encode: (state) => [...state], decode: (values) => new Set(values as number[]) }, [1, 1, 2]);
  });

  test('rounding is forgiven where asked', () => {
    const rounded: Aggregate<number, number, number> = { name: 'rounded', zero: () => 0, reduce: (s, v) => s + v, merge: (a, b) => a + b, finish: (s) => s };
    expect(() => {
      checkLaws(rounded, [0.1, 0.2, 0.3]);
    }).toThrow('homomorphism');
    checkLaws(rounded, [0.1, 0.2, 0.3], { equals: (a, b) => Math.abs(a - b) < 1e-12 });
  });

  test('NaN and -0 are shown as they are', () => {
    expect(() => {
      checkLaws({ ...bag, retract: (state) => ({ values: [...state.values, 1] }) }, [-0, NaN, 2]);
    }).toThrow('[-0, NaN, 2]');
  });
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Takes in nothing more. */
function frozen(values: readonly number[]): Bag {
  return { values: Object.assign([...values], { push: () => 0 }) };
}
