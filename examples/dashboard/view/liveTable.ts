export interface Column<Row> {
  readonly title: string;
  /** What the title stands for, where that is not clear. */
  readonly meaning?: string;
  text(row: Row): string;
}

interface Shown {
  readonly line: HTMLTableRowElement;
  readonly cells: readonly HTMLTableCellElement[];
  readonly order: string;
}

/** A table that keeps its cells, writes only texts that changed, and lights those up for a moment. The first column is a row's head. */
export class LiveTable<Row> {
  private readonly shown = new Map<string, Shown>();
  private readonly body: HTMLTableSectionElement;
  private readonly columns: readonly Column<Row>[];

  constructor(table: HTMLTableElement, columns: readonly Column<Row>[]) {
    this.columns = columns;
    const head = table.createTHead().insertRow();
    for (const { title, meaning } of columns) {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.textContent = title;
      if (meaning) cell.title = meaning;
      head.append(cell);
    }
    this.body = table.createTBody();
  }

  /** Shows these rows and no others, by the order of `order`. */
  paint(rows: Iterable<readonly [key: string, order: string, row: Row]>): void {
    const gone = new Set(this.shown.keys());
    for (const [key, order, row] of rows) {
      gone.delete(key);
      const shown = this.shown.get(key);
      if (shown) this.update(shown.cells, row);
      else this.insert(key, order, row);
    }
    for (const key of gone) {
      this.shown.get(key)?.line.remove();
      this.shown.delete(key);
    }
  }

  private update(cells: readonly HTMLTableCellElement[], row: Row): void {
    this.columns.forEach(({ text }, i) => {
      const cell = cells[i]!, now = text(row);
      if (cell.textContent === now) return;
      cell.textContent = now;
      lightUp(cell);
    });
  }

  private insert(key: string, order: string, row: Row): void {
    const line = document.createElement('tr');
    const cells = this.columns.map(({ text }, i) => {
      const cell = document.createElement(i === 0 ? 'th' : 'td');
      if (i === 0) cell.scope = 'row';
      cell.textContent = text(row);
      return cell;
    });
    line.append(...cells);
    line.dataset['key'] = key;
    const after = [...this.shown.values()].filter((other) => other.order > order).sort((a, b) => (a.order < b.order ? -1 : 1))[0];
    this.body.insertBefore(line, after?.line ?? null);
    this.shown.set(key, { line, cells, order });
  }
}

/** One animation a cell, started again: a cell that changes in each frame would pile them up. */
const lights = new WeakMap<Element, Animation>();

function lightUp(cell: Element): void {
  const light = lights.get(cell);
  if (light) light.currentTime = 0;
  if (light) light.play();
  else lights.set(cell, cell.animate([{ backgroundColor: 'var(--changed)' }, { backgroundColor: 'transparent' }], { duration: 700, easing: 'ease-out' }));
}
