/** Where the usual event's time, key and numbers stand. */
export interface PlainNames {
  readonly time: string;
  readonly key: string;
  readonly numbers: readonly string[];
}

/**
 * Reads the usual event: a time that is a number, a key that is a text, a number in each column.
 *
 * JavaScript engines read `event[name]` quickly at a place in the program that always sees the same name, and several times
 * as slowly where two plans with other names pass. So the same few lines stand here four times: the first three plans
 * with names of their own have a place to themselves, all others share the last one.
 */
export abstract class PlainReader {
  protected readonly time: string;
  protected readonly key: string;
  protected readonly first: string;
  protected readonly second: string;
  protected readonly rest: readonly string[];
  readonly count: number;

  constructor({ time, key, numbers }: PlainNames) {
    const [first = '', second = '', ...rest] = numbers;
    this.time = time;
    this.key = key;
    this.first = first;
    this.second = second;
    this.rest = rest;
    this.count = numbers.length;
  }

  abstract timeOf(event: Record<string, unknown>): unknown;
  abstract keyOf(event: Record<string, unknown>): unknown;
  /** The value in the first and in the second column of numbers; 0 where there is none. */
  abstract firstOf(event: Record<string, unknown>): unknown;
  abstract secondOf(event: Record<string, unknown>): unknown;

  /** Reads the numbers beyond these two. False where one is none. */
  readRest(event: Record<string, unknown>, numbers: Float64Array): boolean {
    for (let i = 0; i < this.rest.length; i++) {
      const value = event[this.rest[i]!];
      if (typeof value !== 'number') return false;
      numbers[2 + i] = value + 0;
    }
    return true;
  }
}

class FirstReader extends PlainReader {
  timeOf(event: Record<string, unknown>): unknown {
    return event[this.time];
  }

  keyOf(event: Record<string, unknown>): unknown {
    return event[this.key];
  }

  firstOf(event: Record<string, unknown>): unknown {
    return this.count > 0 ? event[this.first] : 0;
  }

  secondOf(event: Record<string, unknown>): unknown {
    return this.count > 1 ? event[this.second] : 0;
  }
}

class SecondReader extends PlainReader {
  timeOf(event: Record<string, unknown>): unknown {
    return event[this.time];
  }

  keyOf(event: Record<string, unknown>): unknown {
    return event[this.key];
  }

  firstOf(event: Record<string, unknown>): unknown {
    return this.count > 0 ? event[this.first] : 0;
  }

  secondOf(event: Record<string, unknown>): unknown {
    return this.count > 1 ? event[this.second] : 0;
  }
}

class ThirdReader extends PlainReader {
  timeOf(event: Record<string, unknown>): unknown {
    return event[this.time];
  }

  keyOf(event: Record<string, unknown>): unknown {
    return event[this.key];
  }

  firstOf(event: Record<string, unknown>): unknown {
    return this.count > 0 ? event[this.first] : 0;
  }

  secondOf(event: Record<string, unknown>): unknown {
    return this.count > 1 ? event[this.second] : 0;
  }
}

class SharedReader extends PlainReader {
  timeOf(event: Record<string, unknown>): unknown {
    return event[this.time];
  }

  keyOf(event: Record<string, unknown>): unknown {
    return event[this.key];
  }

  firstOf(event: Record<string, unknown>): unknown {
    return this.count > 0 ? event[this.first] : 0;
  }

  secondOf(event: Record<string, unknown>): unknown {
    return this.count > 1 ? event[this.second] : 0;
  }
}

const readers = [FirstReader, SecondReader, ThirdReader, SharedReader];
/** The plans that have a place to themselves, by their names. */
const owners: string[] = [];

export function plainReaderOf(names: PlainNames): PlainReader {
  const text = JSON.stringify(names);
  if (!owners.includes(text) && owners.length < readers.length - 1) owners.push(text);
  const place = owners.indexOf(text);
  return new readers[place < 0 ? readers.length - 1 : place]!(names);
}
