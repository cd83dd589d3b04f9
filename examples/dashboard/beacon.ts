/** What browsers take along of a page that is left: 64 KiB for all that is on its way together, headers included. */
const LIMIT = 60_000;

/** Rows as texts of JSON, each an array of at most `limit` bytes. A row that is larger by itself is in a text of its own. */
export function parts(rows: Iterable<object>, limit = LIMIT): string[] {
  const texts: string[] = [];
  let part: string[] = [], size = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    const bytes = new TextEncoder().encode(text).length + 1; // and a comma or a bracket
    if (part.length > 0 && size + bytes + 1 > limit) {
      texts.push(`[${part.join(',')}]`);
      part = [];
      size = 0;
    }
    part.push(text);
    size += bytes;
  }
  if (part.length > 0) texts.push(`[${part.join(',')}]`);
  return texts;
}

/** The rows that changed since they were sent last, by key. */
export class Beacon<Row extends object> {
  private readonly unsent = new Map<string, Row>();
  private readonly address: string;

  constructor(address: string) {
    this.address = address;
  }

  note(key: string, row: Row): void {
    this.unsent.set(key, row);
  }

  /** Hands all rows that the browser will take over to it, at once. The rest is sent with the next call. */
  send(): void {
    const keys = [...this.unsent.keys()];
    let sent = 0;
    for (const part of parts(this.unsent.values())) {
      if (!navigator.sendBeacon(this.address, new Blob([part], { type: 'application/json' }))) break;
      sent += (JSON.parse(part) as Row[]).length;
    }
    for (const key of keys.slice(0, sent)) this.unsent.delete(key);
  }
}
