/**
 * What a column may hold: every value, what can be a partition key, numbers, numbers or bigints, or anything with an
 * order. The last two want one type throughout the column.
 */
export type ValueKind = 'any' | 'key' | 'number' | 'numeric' | 'orderable';

/** The types that admission tells apart. */
export type ValueType = 'number' | 'bigint' | 'string' | 'boolean' | 'date' | 'other' | 'invalid';

const accepted: Record<ValueKind, readonly ValueType[]> = {
  any: ['number', 'bigint', 'string', 'boolean', 'date', 'other'],
  key: ['number', 'bigint', 'string', 'boolean', 'date'],
  number: ['number'],
  numeric: ['number', 'bigint'],
  orderable: ['number', 'bigint', 'string', 'boolean', 'date'],
};

/** A column of the event whose values measures read. */
export class Column {
  readonly name: string;
  /** That of the first value that counted, where the column must keep to one. */
  type: ValueType | undefined = undefined;
  private readonly accepted: readonly ValueType[];
  private readonly keepsType: boolean;

  /** `kinds`: what the measures that read the column ask for; a value must suit all of them. */
  constructor(name: string, kinds: readonly ValueKind[]) {
    this.name = name;
    this.accepted = accepted.any.filter((type) => kinds.every((kind) => accepted[kind].includes(type)));
    this.keepsType = kinds.includes('numeric') || kinds.includes('orderable');
  }

  /** Whether a value that is not missing may count. */
  accepts(value: unknown): boolean {
    if (this.type !== undefined) return this.type === 'number' ? typeof value === 'number' : typeOf(value) === this.type;
    return this.accepted.includes(typeOf(value));
  }

  /** Whether values of a type may count. */
  acceptsType(type: ValueType): boolean {
    return this.type === undefined ? this.accepted.includes(type) : this.type === type;
  }

  /** The value counts. Whether this settled the column's type. */
  settles(value: unknown): boolean {
    if (!this.isOpen) return false;
    this.type = typeOf(value);
    return true;
  }

  /** Whether the column has yet to see the value that gives it its type. */
  get isOpen(): boolean {
    return this.keepsType && this.type === undefined;
  }

  /** What the column takes, for messages. */
  get expected(): string {
    return this.type ?? this.accepted.join(', ');
  }
}

/** The type of a value that is not missing. */
export function typeOf(value: unknown): ValueType {
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'string':
    case 'boolean':
      return typeof value as ValueType;
    default:
      if (!(value instanceof Date)) return 'other';
      return Number.isNaN(value.getTime()) ? 'invalid' : 'date';
  }
}
