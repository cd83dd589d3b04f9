import { NumberAnswers } from './answers.ts';
import { invalidWindow } from './invalidWindow.ts';
import type { SortedRows } from './sortedRows.ts';
import { windowFunction, type AnyOrderedWindow, type WindowFunctionBuilder } from './windowFunction.ts';

/** A function of a row's place in its partition. */
type Ranking<Name extends string> = WindowFunctionBuilder<never, unknown, Name, number, AnyOrderedWindow>;

/**
 * One more than the rows that come before a row and its peers, which are equal to it in all order columns: 1, 1, 3.
 *
 * @example rank().over(Window.partitionBy('category').orderBy(desc('revenue'))) // named rank()
 */
export function rank(): Ranking<'rank()'> {
  return ranking('rank()', (_rows, first, peers) => peers.from - first + 1);
}

/**
 * One more than the different values that come before a row: 1, 1, 2.
 *
 * @example denseRank().over(Window.partitionBy('category').orderBy(desc('revenue'))) // named dense_rank()
 */
export function denseRank(): Ranking<'dense_rank()'> {
  return ranking('dense_rank()', (_rows, _first, peers) => peers.number);
}

/**
 * The rank less one over the rows less one: from 0 to 1, and 0 for the only row of a partition.
 *
 * @example percentRank().over(Window.orderBy('score')) // named percent_rank()
 */
export function percentRank(): Ranking<'percent_rank()'> {
  return ranking('percent_rank()', (rows, first, peers) => (rows > 1 ? (peers.from - first) / (rows - 1) : 0));
}

/**
 * The share of rows that come before a row or are its peers, itself among them: above 0, up to 1.
 *
 * @example cumeDist().over(Window.orderBy('score')) // named cume_dist()
 */
export function cumeDist(): Ranking<'cume_dist()'> {
  return ranking('cume_dist()', (rows, first, peers) => (peers.to - first) / rows);
}

/**
 * The number of a row in its partition, from 1. Peers are numbered in the order in which they came.
 *
 * @example rowNumber().over(Window.partitionBy('user').orderBy('at')) // named row_number()
 */
export function rowNumber(): Ranking<'row_number()'> {
  return ranking('row_number()', (_rows, first, _peers, at) => at - first + 1);
}

/**
 * The number of a row's share, where a partition is dealt out into n shares of equal size, from 1; where that is not
 * possible the first ones have one row more.
 *
 * @throws RollingWindowError `invalid-window` where n is no whole number from 1.
 * @example ntile(4).over(Window.orderBy('revenue')) // named ntile(4)
 */
export function ntile<const N extends number>(n: N): Ranking<`ntile(${N})`> {
  if (!(Number.isSafeInteger(n) && n >= 1)) throw invalidWindow('a whole number of shares from 1', n);
  return ranking(`ntile(${n})`, (rows, first, _peers, at) => {
    const size = Math.floor(rows / n), larger = rows % n, row = at - first, inLarger = larger * (size + 1);
    return row < inLarger ? Math.floor(row / (size + 1)) + 1 : larger + Math.floor((row - inLarger) / size) + 1;
  });
}

/** The peers of a row: their positions, and how many groups of peers there are in the partition up to them. */
interface Peers {
  from: number;
  to: number;
  number: number;
}

/** A rank out of the number of rows in the partition, the position of its first row, the row's peers, and its own position. */
type RankOf = (rows: number, first: number, peers: Readonly<Peers>, at: number) => number;

function ranking<Name extends string>(name: Name, rankOf: RankOf): Ranking<Name> {
  return windowFunction({ name, needsOrder: true, framed: false, ignoreNulls: false, answers: (rows) => new NumberAnswers(ranks(rows, rankOf)) }, []);
}

function ranks({ order, starts, peersFrom, peersTo }: SortedRows, rankOf: RankOf): Float64Array {
  const ranks = new Float64Array(order.length), peers: Peers = { from: 0, to: 0, number: 0 };
  for (let p = 1; p < starts.length; p++) {
    const first = starts[p - 1]!, behind = starts[p]!;
    peers.number = 0;
    for (let at = first; at < behind; at++) {
      peers.from = peersFrom[at]!;
      peers.to = peersTo[at]!;
      if (peers.from === at) peers.number++;
      ranks[order[at]!] = rankOf(behind - first, first, peers, at);
    }
  }
  return ranks;
}
