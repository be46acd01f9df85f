/** Parses texts of periods on a time axis into ordinals. */

/** The kinds of periods. Days and times are distinguished by their texts. All kinds except times count in whole steps. */
export type PeriodKind = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'time';

export interface ParsedPeriod {
  readonly kind: PeriodKind;
  /** Years, quarters, months, weeks, days, or milliseconds since 1970-01-01 UTC (years since year 0). */
  readonly ordinal: number;
  /** Writes an ordinal in the format of the text. */
  readonly write: (ordinal: number) => string;
}

const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday: weeks start on Mondays. */
const MONDAY_OFFSET = 3;

type Form = readonly [pattern: RegExp, read: (parts: readonly string[], text: string) => ParsedPeriod | undefined];

const FORMS: readonly Form[] = [
  [/^(\d{4})$/, ([, year]) => ({ kind: 'year', ordinal: Number(year), write: (ordinal) => pad(ordinal, 4) })],
  [
    /^(\d{4})([-\s/]?)(Q)([1-4])$/i,
    ([, year, gap = '', letter = 'Q', quarter]) => ({
      kind: 'quarter',
      ordinal: 4 * Number(year) + Number(quarter) - 1,
      write: (ordinal) => `${pad(Math.floor(ordinal / 4), 4)}${gap}${letter}${(ordinal % 4) + 1}`,
    }),
  ],
  [
    /^(Q)([1-4])([-\s/]?)(\d{4})$/i,
    ([, letter = 'Q', quarter, gap = '', year]) => ({
      kind: 'quarter',
      ordinal: 4 * Number(year) + Number(quarter) - 1,
      write: (ordinal) => `${letter}${(ordinal % 4) + 1}${gap}${pad(Math.floor(ordinal / 4), 4)}`,
    }),
  ],
  [
    /^(\d{4})([-/.]?)(0[1-9]|1[0-2])$/,
    ([, year, gap = '', month]) => ({
      kind: 'month',
      ordinal: 12 * Number(year) + Number(month) - 1,
      write: (ordinal) => `${pad(Math.floor(ordinal / 12), 4)}${gap}${pad((ordinal % 12) + 1, 2)}`,
    }),
  ],
  [
    /^(\d{4})([-\s]?)W(0[1-9]|[1-4]\d|5[0-3])$/i,
    ([, year, gap = '', week]) => ({
      kind: 'week',
      ordinal: firstIsoWeek(Number(year)) + Number(week) - 1,
      write: (ordinal) => writeIsoWeek(ordinal, gap),
    }),
  ],
  [
    /^(\d{4})-(\d{2})-(\d{2})$/,
    (_, text) => {
      const millis = Date.parse(`${text}T00:00:00Z`);
      if (Number.isNaN(millis) || !new Date(millis).toISOString().startsWith(text)) return undefined;
      return { kind: 'day', ordinal: millis / DAY_MS, write: writeDay };
    },
  ],
  [
    /^(\d{4}-\d{2}-\d{2})([T ])(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z?)$/,
    ([, day, gap = 'T', time = '', zone = '']) => {
      const millis = Date.parse(`${day}T${time}Z`);
      if (Number.isNaN(millis)) return undefined;
      return {
        kind: 'time',
        ordinal: millis,
        write: (ordinal) => {
          const [date = '', clock = ''] = new Date(ordinal).toISOString().split('T');
          return `${date}${gap}${clock.slice(0, time.length)}${zone}`;
        },
      };
    },
  ],
];

/** Parses a text as a period; `undefined` where it is not one. */
export function parsePeriod(text: string): ParsedPeriod | undefined {
  for (const [pattern, read] of FORMS) {
    const parts = pattern.exec(text);
    if (parts !== null) return read(parts, text);
  }
  return undefined;
}

export function writeDay(ordinal: number): string {
  return new Date(ordinal * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the weeks between the first Monday of 1970 and the first week of an ISO year. */
function firstIsoWeek(year: number): number {
  const fourth = Date.UTC(year, 0, 4) / DAY_MS;
  return Math.floor((fourth + MONDAY_OFFSET) / 7);
}

function writeIsoWeek(ordinal: number, gap: string): string {
  const thursday = new Date((7 * ordinal - MONDAY_OFFSET + 3) * DAY_MS);
  const year = thursday.getUTCFullYear();
  return `${pad(year, 4)}${gap}W${pad(ordinal - firstIsoWeek(year) + 1, 2)}`;
}

function pad(number: number, width: number): string {
  return String(number).padStart(width, '0');
}
