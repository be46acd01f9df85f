import { html, type TemplateResult } from 'lit';
import type { Answer } from '../api/parse-answer.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import type { TableFormat } from '../state/table-state.ts';

/** Range of the numbers of a column, with zero for bars. */
interface Extent {
  readonly low: number;
  readonly high: number;
}

/** Share of the strongest colour of a scale in the ground of a cell. More would take contrast from red numbers. */
const STRONGEST = 22;

const formats = new WeakMap<Answer['rows'], { readonly settings: ChartSettings; readonly format: TableFormat }>();

/** Formats the cells and the columns of a table. Equal settings of one answer give one object. */
export function formatTable(answer: Answer, settings: ChartSettings): TableFormat {
  const known = formats.get(answer.rows);
  if (known?.settings === settings) return known.format;
  const { bars = [], scales = [], headings = {}, frozen = 0 } = settings.table ?? {};
  const writers = answer.columns.map(({ key }, position) => {
    const extent = extentOf(answer, position);
    return [
      ...(bars.includes(key) ? [(value: number) => barStyle(value, extent)] : []),
      ...(scales.includes(key) ? [(value: number) => scaleStyle(value, extent)] : []),
    ];
  });
  const format: TableFormat = {
    frozen: Math.min(frozen, answer.columns.length - 1),
    style: (cell, column) =>
      cell.number === undefined ? '' : (writers[column] ?? []).map((write) => write(cell.number ?? 0)).join(';'),
    headings: headingRow(
      answer.columns.map(({ key }) => Object.entries(headings).find(([, columns]) => columns.includes(key))?.[0]),
    ),
  };
  formats.set(answer.rows, { settings, format });
  return format;
}

function extentOf({ rows }: Answer, position: number): Extent {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    const value = row[position]?.number;
    if (value === undefined) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { low, high };
}

/** Writes a bar from zero to the value. All bars of a column share one scale. */
function barStyle(value: number, extent: Extent): string {
  const [low, high] = [Math.min(extent.low, 0), Math.max(extent.high, 0)];
  const place = (at: number) => percent(high === low ? 0 : (at - low) / (high - low));
  return `--from:${place(Math.min(value, 0))};--to:${place(Math.max(value, 0))}`;
}

/** Writes the ground of a cell: stronger for a larger value; on both sides of zero where a column has both signs. */
function scaleStyle(value: number, { low, high }: Extent): string {
  const isDiverging = low < 0 && high > 0;
  const most = Math.max(-low, high);
  const share = isDiverging ? Math.abs(value) / most : high === low ? 0 : (value - low) / (high - low);
  return `--tint:color-mix(in srgb,var(--${isDiverging && value < 0 ? 'below' : 'above'}) ${percent((share * STRONGEST) / 100)},transparent)`;
}

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10}%`;
}

/** Renders the headings above neighbouring columns; undefined where there are none. */
function headingRow(names: readonly (string | undefined)[]): TemplateResult | undefined {
  if (names.every((name) => name === undefined)) return undefined;
  const spans: { readonly name: string | undefined; width: number }[] = [];
  for (const name of names) {
    const last = spans.at(-1);
    if (last !== undefined && last.name === name) last.width += 1;
    else spans.push({ name, width: 1 });
  }
  return html`<tr class="headings">${spans.map(({ name, width }) =>
    name === undefined
      ? html`<td colspan=${width}></td>`
      : html`<th scope="colgroup" part="heading" colspan=${width} title=${name}>${name}</th>`,
  )}</tr>`;
}
