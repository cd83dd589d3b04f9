import { describe, expect, test } from 'vitest';
import { Column } from '../../src/admission/column.ts';
import { approxCountDistinct, avg, corr, count, max, minBy, mode, preceding, range, sum, udaf, varPop } from '../../src/index.ts';
import type { AnyMeasure } from '../../src/measures/measure.ts';
import { Lanes } from '../../src/windows/lanes.ts';
import { planOf } from '../../src/plan.ts';
import { NumericKernel } from '../../src/windows/numericKernel.ts';

function lanesOf(...measures: AnyMeasure[]): { lanes: Lanes; columns: Column[] } {
  const plan = planOf({ partitionBy: [], orderBy: 't', measures });
  const columns = plan.columns.map(({ name, kinds }) => new Column(name, kinds));
  const lanes = new Lanes(plan.measures.map(({ measure: { aggregate, kind }, column, second, predicate, lookback }) => ({ aggregate, column: columns[column], second: columns[second], predicate, lookback, raw: kind === 'any' || kind === 'key' })), plan.lookbacks.length);
  return { lanes, columns };
}
const list = udaf({ name: 'list', zero: (): unknown[] => [], reduce: (state, value: unknown) => [...state, value], merge: (a, b) => [...a, ...b], finish: (state) => state });

describe('Lanes', () => {
  test('all measures of a number column share one lane and one state; counting alone keeps no values', () => {
    const { lanes } = lanesOf(sum('v'), avg('v'), max('v'), count('v'), varPop('v'), count(), count('w'));
    expect([lanes.store.stride, lanes.kernels.length, lanes.running.length]).toEqual([3, 3, 0]); // a time, v, and whether w is there
    expect(lanes.read({ v: 5, w: 'a long text' }, [])).toBe(true);
    expect([...lanes.numbers]).toEqual([5, 0]);
    expect(lanes.read({ v: -0, w: null }, [])).toBe(true);
    expect([...lanes.numbers]).toEqual([0, -0]);
  });

  test('a filter of its own has a lane of its own, which reads nothing where the filter says no', () => {
    const isKept = (): boolean => true;
    const { lanes } = lanesOf(sum('v'), sum('v').filter(isKept).as('kept'), count().filter(isKept).as('all'));
    expect(lanes.store.stride).toBe(4);
    lanes.read({ v: 7 }, [false]);
    expect([...lanes.numbers]).toEqual([7, -0, -0]);
    lanes.read({ v: 7 }, [true]);
    expect([...lanes.numbers]).toEqual([7, 7, 0]);
  });

  test('a value that no measure may see is not judged', () => {
    const { lanes } = lanesOf(sum('v').filter(() => false));
    expect([lanes.read({ v: 'text' }, [false]), lanes.read({ v: 'text' }, [true])]).toEqual([true, false]);
  });

  test.each([[5n, 'bigint'], ['text', 'string'], [true, 'boolean'], [new Date(5), 'date']])('a column whose first value is %o turns to cells, as %s', (first, type) => {
    const { lanes, columns } = lanesOf(max('v'), count('v'));
    const before = [lanes.untyped, lanes.store.cellColumns];
    lanes.read({ v: null }, []);
    lanes.settleTypes();
    expect([lanes.untyped, lanes.store.cellColumns]).toEqual(before);
    lanes.read({ v: first }, []);
    lanes.settleTypes();
    expect([lanes.untyped, lanes.store.cellColumns, lanes.cells, [...lanes.numbers], columns[0]?.type]).toEqual([false, 1, [first], [0], type]);
    expect(lanes.read({ v: first }, [])).toBe(true);
    expect(lanes.read({ v: 1 }, [])).toBe(false);
  });

  test('a column whose first value is a number stays in the slab', () => {
    const { lanes, columns } = lanesOf(sum('v'));
    lanes.read({ v: 5 }, []);
    lanes.settleTypes();
    expect([lanes.store.cellColumns, columns[0]?.type, lanes.read({ v: 5n }, [])]).toEqual([0, 'number', false]);
  });

  test('what is merely looked at settles no type', () => {
    const { lanes, columns } = lanesOf(sum('v'));
    lanes.read({ v: 5n }, []);
    expect(columns[0]?.type).toBeUndefined();
  });

  test('dates among cells are copies', () => {
    const { lanes } = lanesOf(list('v')), date = new Date(5);
    lanes.read({ v: date }, []);
    date.setTime(9);
    expect(lanes.cells).toEqual([new Date(5)]);
  });

  test('a pair shares the lanes of its columns with other measures', () => {
    const { lanes } = lanesOf(sum('v'), corr('v', 'w'), corr('w', 'v').as('other'), avg('w'));
    expect([lanes.store.stride, lanes.kernels.length, lanes.running.length, lanes.answers.length]).toEqual([3, 2, 2, 4]);
    lanes.read({ v: 3, w: null }, []);
    expect([...lanes.numbers]).toEqual([3, -0]);
  });

  test('a column that turns takes the measures of its doubles along, each once', () => {
    const { lanes } = lanesOf(mode('v'), max('v'), minBy('x', 'v'), count('v'));
    expect(lanes.running.length).toBe(2);
    lanes.read({ v: 'text', x: 1 }, []);
    lanes.settleTypes();
    const fused = [...lanes.answers.keys()].filter((i) => lanes.answers[i] instanceof NumericKernel);
    expect([lanes.running.length, lanes.summarised, fused]).toEqual([3, [0, 2, 1], [3]]);
    const block = lanes.store.allocate(4);
    lanes.store.write(block, 7, lanes.numbers, lanes.cells);
    for (const summary of lanes.running) {
      summary.clear(0);
      summary.enter(0, block, block + 1);
    }
    expect(lanes.running.map((summary) => summary.read(0))).toEqual(['text', 1, 'text']);
  });

  test('what nothing leaves is kept as the aggregate says', () => {
    const { lanes } = lanesOf(approxCountDistinct('v'), approxCountDistinct('v').over(preceding(range(5))).as('n'));
    expect(lanes.running.map((summary) => Object.keys(summary.snapshot(0) as object))).toEqual([['values', 'registers'], ['values', 'times', 'forgotten', 'cutoff', 'met']]);
  });

  test('columns at rest stand in the order of the plan, whichever turned first', () => {
    const lanes = lanesOf(max('v'), max('w'), list('x')).lanes;
    for (const event of [{ w: 'w' }, { v: 5n, x: 1 }]) {
      lanes.read(event, []);
      lanes.settleTypes();
    }
    lanes.read({ v: 7n, w: 'y', x: null }, []);
    expect(lanes.cellOrder.map((column) => lanes.cells[column])).toEqual([7n, 'y', undefined]);
    expect(lanes.shapes.cells.map(({ column }) => column)).toEqual(['v', 'w', 'x']);
    expect(lanes.shapes.numbers).toEqual([
      { column: 'v', filtered: false, presence: true, measures: [0] },
      { column: 'w', filtered: false, presence: true, measures: [1] },
    ]);
  });
});
