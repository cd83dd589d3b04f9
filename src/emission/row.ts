import { shownPart, type KeyPart } from '../keys/partitionKey.ts';
import { NO_SLOT, type KeyTable } from '../keys/keyTable.ts';
import { isMissing, MISSING } from '../windows/eventStore.ts';

export type Row = Record<string, unknown>;

/**
 * Builds update rows: plain objects with the plan's columns.
 *
 * `row[name] = value` in a loop costs about 12 ns a column, because one place in the program sees many names. A place
 * that always sees the same name costs 1 to 2 ns, so the first columns are written out. A constructor, because the engine
 * then learns the exact size of the object; its prototype is Object.prototype, so a row is a plain object to everyone.
 * `new Function` would be as fast, but pages with a content security policy forbid it. With several plans in one program
 * the places see several names, and a row costs what the loop does.
 */
export class RowBuilder {
  /** The key of the row that is being built, where it is not read by its slot. */
  private readonly given: { key: readonly KeyPart[] } = { key: [] };
  private readonly text: KeyPart[] = [''];
  private readonly construct: new (slot: number, frontier: unknown, numbers: Float64Array, base: number) => Row;

  constructor(keys: KeyTable, keyColumns: readonly string[], alias: string, names: readonly string[]) {
    const width = keyColumns.length, n = names.length;
    const [k0, k1] = keyColumns as [string, string];
    const [n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12, n13, n14, n15] = names as string[];
    const { given } = this;
    const partOf = (slot: number, column: number): KeyPart => shownPart(slot === NO_SLOT ? given.key[column]! : keys.partOf(slot, column));
    function UpdateRow(this: Row, slot: number, frontier: unknown, numbers: Float64Array, base: number): void {
      if (width > 0) this[k0] = partOf(slot, 0);
      if (width > 1) this[k1] = partOf(slot, 1);
      for (let c = 2; c < width; c++) this[keyColumns[c]!] = partOf(slot, c);
      this[alias] = frontier;
      if (n > 0) this[n0!] = orNull(numbers[base]!);
      if (n > 1) this[n1!] = orNull(numbers[base + 1]!);
      if (n > 2) this[n2!] = orNull(numbers[base + 2]!);
      if (n > 3) this[n3!] = orNull(numbers[base + 3]!);
      if (n > 4) this[n4!] = orNull(numbers[base + 4]!);
      if (n > 5) this[n5!] = orNull(numbers[base + 5]!);
      if (n > 6) this[n6!] = orNull(numbers[base + 6]!);
      if (n > 7) this[n7!] = orNull(numbers[base + 7]!);
      if (n > 8) this[n8!] = orNull(numbers[base + 8]!);
      if (n > 9) this[n9!] = orNull(numbers[base + 9]!);
      if (n > 10) this[n10!] = orNull(numbers[base + 10]!);
      if (n > 11) this[n11!] = orNull(numbers[base + 11]!);
      if (n > 12) this[n12!] = orNull(numbers[base + 12]!);
      if (n > 13) this[n13!] = orNull(numbers[base + 13]!);
      if (n > 14) this[n14!] = orNull(numbers[base + 14]!);
      if (n > 15) this[n15!] = orNull(numbers[base + 15]!);
      for (let i = 16; i < n; i++) this[names[i]!] = orNull(numbers[base + i]!);
    }
    UpdateRow.prototype = Object.prototype;
    this.construct = UpdateRow as unknown as RowBuilder['construct'];
    // A column whose first value is a number makes engines expect numbers of that kind there, and each surprise later
    // another hidden class of rows, until the places above are given up as too various. After null they expect anything.
    this.buildAbsent(keyColumns.map(() => null), null, new Float64Array(n).fill(MISSING));
  }

  /** `numbers`: from `base` on one double per measure, `MISSING` for null and for what is no number. */
  build(slot: number, frontier: unknown, numbers: Float64Array, base: number): Row {
    return new this.construct(slot, frontier, numbers, base);
  }

  /** The same for a key that has no slot. */
  buildAbsent(key: readonly KeyPart[], frontier: unknown, numbers: Float64Array): Row {
    this.given.key = key;
    return new this.construct(NO_SLOT, frontier, numbers, 0);
  }

  /** The same for a key of one text that is at hand: to read it by its slot is a look at cold memory. */
  buildOfText(text: string, frontier: unknown, numbers: Float64Array, base: number): Row {
    this.text[0] = text;
    this.given.key = this.text;
    return new this.construct(NO_SLOT, frontier, numbers, base);
  }
}

function orNull(value: number): number | null {
  return isMissing(value) ? null : value;
}
