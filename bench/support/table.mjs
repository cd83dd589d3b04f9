import Table from 'cli-table3';

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} lines The first column is text, the others are figures.
 */
export function table(head, lines) {
  const colAligns = head.map((_, i) => (i === 0 ? 'left' : 'right'));
  const drawn = new Table({ head: [...head], colAligns, chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' }, style: { head: [], border: [] } });
  drawn.push(...lines.map((line) => [...line]));
  return drawn.toString();
}

/** The same for Markdown. */
export function markdownTable(head, lines) {
  const rule = head.map((_, i) => (i === 0 ? '---' : '--:'));
  return [head, rule, ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n');
}
