/** What a terminal shows after a program wrote to it. Knows what log-update writes, and refuses the rest. */
export interface Screen {
  readonly lines: readonly string[];
  readonly cursorShown: boolean;
  /** Lines that moved out at the top: a table redrawn in place leaves none. */
  readonly scrolled: number;
  /** Lines that were wider than the terminal. */
  readonly wrapped: number;
}

const part = /\x1b\[(?<parameter>[?\d;]*)(?<command>[A-Za-z])|(?<character>[^\x1b])/gsu;

export function screenAfter(written: string, { columns, rows }: { readonly columns: number; readonly rows: number }): Screen {
  const cells = Array.from({ length: rows }, () => emptyLine());
  let row = 0;
  let column = 0;
  let cursorShown = true;
  let scrolled = 0;
  let wrapped = 0;

  for (const { groups = {} } of written.matchAll(part)) {
    const { parameter = '', command, character } = groups;
    if (character === '\r') column = 0;
    else if (character === '\n') nextLine();
    else if (character !== undefined) put(character);
    else if (command !== undefined) obey(command, parameter);
  }
  return { lines: cells.map((line) => line.join('').trimEnd()), cursorShown, scrolled, wrapped };

  function emptyLine(): string[] {
    return new Array<string>(columns).fill(' ');
  }

  function nextLine(): void {
    row += 1;
    if (row < rows) return;
    row = rows - 1;
    scrolled += 1;
    cells.shift();
    cells.push(emptyLine());
  }

  function put(character: string): void {
    if (column === columns) {
      wrapped += 1;
      column = 0;
      nextLine();
    }
    cells[row]?.splice(column, 1, character);
    column += 1;
  }

  function obey(command: string, parameter: string): void {
    const count = Number(parameter) || 1;
    if (command === 'A') row = Math.max(row - count, 0);
    else if (command === 'B') row = Math.min(row + count, rows - 1);
    else if (command === 'G') column = count - 1;
    else if (command === 'K' && parameter === '2') cells[row] = emptyLine();
    else if (command === 'K' && parameter === '') cells[row]?.fill(' ', column);
    else if (parameter === '?25') cursorShown = command === 'h';
    else if (command !== 'm' && parameter !== '?2026') throw new Error(`The screen does not know ESC[${parameter}${command}`);
  }
}
