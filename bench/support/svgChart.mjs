/**
 * Lines over two logarithmic axes, as an SVG that reads on a dark page and on a light one.
 *
 * @typedef {{ name: string, className: string, points: { x: number, y: number }[] }} Line
 * @typedef {{ title: string, xTitle: string, lines: Line[] }} Panel
 */
const panelWidth = 400;
const panelHeight = 330;
const labelWidth = 126;
const left = 64;
const top = 74;
const gap = 8;
const labelHeight = 14;

/**
 * @param {{ title: string, subtitle: string, yTitle: string, panels: Panel[], style: string }} chart
 * @returns {string}
 */
export function svgChart({ title, subtitle, yTitle, panels, style }) {
  const width = left + panels.length * (panelWidth + labelWidth) + (panels.length - 1) * (gap + left);
  const height = top + panelHeight + 58;
  const yScale = decades(panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ y }) => y))), panelHeight, 0);
  const drawn = panels.map((panel, i) => `<g transform="translate(${left + i * (panelWidth + labelWidth + gap + left)} ${top})">${drawPanel(panel, yScale)}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title subtitle">
<style>${baseStyle}${style}</style>
<title id="title">${escaped(title)}</title>
<desc id="subtitle">${escaped(subtitle)}</desc>
<text class="title" x="12" y="24">${escaped(title)}</text>
<text class="small" x="12" y="43">${escaped(subtitle)}</text>
<text class="small" x="12" y="${top - 12}">${escaped(yTitle)}</text>
${drawn.join('\n')}
</svg>
`;
}

/** Text and grid take the colours of a page; lines are told apart by colour and by the name at their end. */
const baseStyle = `
text { font: 12px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #24292f }
.title { font-size: 16px; font-weight: 600 }
.small { font-size: 11px; fill: #57606a }
.grid { stroke: #d0d7de; stroke-width: 1 }
.line { fill: none; stroke-width: 1.6; stroke-linejoin: round }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .small { fill: #9198a1 }
  .grid { stroke: #30363d }
}
`;

function drawPanel({ title, xTitle, lines }, y) {
  const x = decades(lines.flatMap(({ points }) => points.map((point) => point.x)), 0, panelWidth);
  const grid = [
    ...y.ticks.map((value) => `<line class="grid" x1="0" x2="${panelWidth}" y1="${at(y.of(value))}" y2="${at(y.of(value))}"/><text class="small" text-anchor="end" x="-8" y="${at(y.of(value) + 4)}">${short(value)}</text>`),
    ...x.ticks.map((value) => `<line class="grid" x1="${at(x.of(value))}" x2="${at(x.of(value))}" y1="0" y2="${panelHeight}"/><text class="small" text-anchor="middle" x="${at(x.of(value))}" y="${panelHeight + 18}">${short(value)}</text>`),
  ];
  const shown = lines.filter(({ points }) => points.length > 0);
  const places = apart(shown.map(({ points }) => y.of(points.at(-1)?.y ?? 1)));
  const curves = shown.map(({ name, className, points }, i) => {
    const path = points.map((point, n) => `${n === 0 ? 'M' : 'L'}${at(x.of(point.x))} ${at(y.of(point.y))}`).join('');
    const dots = points.map((point) => `<circle class="dot ${className}" cx="${at(x.of(point.x))}" cy="${at(y.of(point.y))}" r="2.6"/>`).join('');
    const end = points.at(-1) ?? { x: 1, y: 1 };
    // A line that ends early has its name in the margin all the same, with a thread to it.
    const thread = `<path class="thread ${className}" d="M${at(x.of(end.x) + 4)} ${at(y.of(end.y))}L${panelWidth + 8} ${at(places[i])}"/>`;
    return `<path class="line ${className}" d="${path}"/>${dots}${thread}<text class="label ${className}" x="${panelWidth + 12}" y="${at(places[i] + 4)}">${escaped(name)}</text>`;
  });
  return `${grid.join('')}<text x="${panelWidth / 2}" y="-12" text-anchor="middle">${escaped(title)}</text>${curves.join('\n')}<text class="small" text-anchor="middle" x="${panelWidth / 2}" y="${panelHeight + 40}">${escaped(xTitle)}</text>`;
}

/** A logarithmic scale from whole powers of ten to whole powers of ten. */
function decades(values, from, to) {
  const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9), high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
  return {
    of: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
    ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)),
  };
}

/** Moves labels down, and then up from the bottom, until none covers another. */
function apart(wanted) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const places = [...wanted];
  order.forEach((i, n) => {
    if (n > 0) places[i] = Math.max(places[i], places[order[n - 1]] + labelHeight);
  });
  order.toReversed().forEach((i, n, reversed) => {
    places[i] = Math.min(places[i], n === 0 ? panelHeight : places[reversed[n - 1]] - labelHeight);
  });
  return places;
}

function short(value) {
  return value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : String(value);
}

function at(value) {
  return Math.round(value * 10) / 10;
}

function escaped(text) {
  return text.replace(/[&<>]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[letter] ?? letter);
}
