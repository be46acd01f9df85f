/** The format of a column in a spreadsheet, read from the texts that the server wrote for its values. */
import type { FileColumn } from '../../router/capabilities/answer-files.ts';
import type { AnswerRecord } from '../../router/capabilities/query-source.ts';

/** A number as the surfaces write it: `-1,234.50`, between any texts. */
const WRITTEN = /^(\D*?)(-?)(\D*?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(\D*)$/;
const MAX_CELLS = 200;
const MAX_DECIMALS = 10;

interface Shape {
  readonly before: string;
  readonly after: string;
  readonly isGrouped: boolean;
  readonly decimals: number;
}

/**
 * Returns the number format of a metric: `#,##0.00" EUR"`, `0.0%`. Undefined where its texts are not its numbers written
 * plainly, such as `1.2M`: the spreadsheet then shows its own format. `points` is the word for percentage points.
 */
export function numberFormatOf(
  column: FileColumn,
  records: readonly AnswerRecord[],
  points = 'points',
): string | undefined {
  let common: Shape | undefined;
  let seen = 0;
  for (const record of records) {
    const cell = record[column.key];
    if (typeof cell !== 'object' || cell === null || cell.formatted === null || cell.value === null) continue;
    const shape = shapeOf(cell.formatted, Number(cell.value));
    if (shape === undefined) return undefined;
    if (common !== undefined && (shape.before !== common.before || shape.after !== common.after)) return undefined;
    common = {
      ...shape,
      isGrouped: shape.isGrouped || common?.isGrouped === true,
      decimals: Math.max(shape.decimals, common?.decimals ?? 0),
    };
    seen++;
    if (seen === MAX_CELLS) break;
  }
  if (common === undefined) return undefined;
  const isPoints = column.change === 'points' && common.after.trim() === 'points';
  return patternOf(isPoints ? { ...common, after: ` ${points}` } : common);
}

/** Reads the text of a number; undefined where it is not this number. */
function shapeOf(text: string, value: number): Shape | undefined {
  const match = WRITTEN.exec(text.trim());
  if (match === null) return undefined;
  const [, start = '', minus = '', symbol = '', whole = '', fraction = '', after = ''] = match;
  const before = `${start}${symbol}`;
  const isPercent = after.trimStart().startsWith('%');
  const written = Number(`${minus}${whole.replaceAll(',', '')}.${fraction}0`);
  const expected = isPercent && Math.abs(written - value) > tolerance(fraction.length) ? value * 100 : value;
  if (Math.abs(written - expected) > tolerance(fraction.length)) return undefined;
  // A value in points of per cent is a number with a sign behind it; a spreadsheet's own % would multiply it.
  const isShare = isPercent && expected !== value;
  return {
    before,
    after: isPercent && !isShare ? `\u0000${after}` : after,
    isGrouped: whole.includes(','),
    decimals: Math.min(fraction.length, MAX_DECIMALS),
  };
}

/** Returns how far a written number may be from its value: half of its last digit, and the error of a double. */
function tolerance(decimals: number): number {
  return 0.5000001 * 10 ** -decimals;
}

function patternOf({ before, after, isGrouped, decimals }: Shape): string {
  // A column with small numbers only shows no separator; the pattern must not change with the next refresh.
  const isShare = after.trimStart().startsWith('%');
  const whole = isGrouped || !isShare ? '#,##0' : '0';
  const digits = decimals === 0 ? whole : `${whole}.${'0'.repeat(decimals)}`;
  const tail = isShare ? `%${literal(after.trimStart().slice(1))}` : literal(after.replace('\u0000', ''));
  return `${literal(before)}${digits}${tail}`;
}

/** Writes a text that a number format shows as it is. */
function literal(text: string): string {
  return text === '' ? '' : `"${text.replaceAll('"', '""')}"`;
}
