import { monthNames, weekdayNames } from '../../format/calendar-names.ts';
import { type Calc, integerCalc, scalarCalc } from '../compile/calc.ts';
import { numberOf, scalarOf, stringOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { DATETIME, INTEGER, STRING } from '../compile/expression-types.ts';
import type { BuildContext, FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Value } from '../metadata/value.ts';
import { MdxEvaluationError } from '../syntax/errors.ts';
import { isSupplied } from './supplied-args.ts';

/** Functions of dates from Visual Basic and spreadsheets. Dates are in UTC. */

/**
 * Returns a value as a date. A text is read as ISO 8601.
 *
 * @throws MdxEvaluationError if the value is not a date
 */
function dateOf(value: Value): Date {
  const date = value instanceof Date ? value : new Date(typeof value === 'string' ? isoText(value) : Number.NaN);
  if (Number.isNaN(date.getTime())) throw new MdxEvaluationError(`'${String(value)}' is no date.`);
  return date;
}

/** Adds the time zone UTC to a text without a time zone, because all dates of the engine are in UTC. */
function isoText(text: string): string {
  const local = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(text.trim());
  return local ? `${text.trim().replace(' ', 'T')}Z` : text;
}

const DAY = 86_400_000;

/** The units of DateAdd, DateDiff and DatePart. */
const UNITS: Readonly<Record<string, { readonly months?: number; readonly milliseconds?: number }>> = {
  yyyy: { months: 12 },
  q: { months: 3 },
  m: { months: 1 },
  y: { milliseconds: DAY },
  d: { milliseconds: DAY },
  w: { milliseconds: DAY },
  ww: { milliseconds: 7 * DAY },
  h: { milliseconds: 3_600_000 },
  n: { milliseconds: 60_000 },
  s: { milliseconds: 1_000 },
};

/** @throws MdxEvaluationError if no interval has the name */
function intervalUnit(name: string | null): { readonly months?: number; readonly milliseconds?: number } {
  const key = (name ?? '').toLowerCase();
  const unit = Object.hasOwn(UNITS, key) ? UNITS[key] : undefined;
  if (unit === undefined) {
    throw new MdxEvaluationError(`There is no interval '${name ?? ''}'.`, undefined, Object.keys(UNITS));
  }
  return unit;
}

/** Returns the date that is `count` units later. One month after 31 January is the last day of February. */
function added(date: Date, unit: ReturnType<typeof intervalUnit>, count: number): Date {
  const { months, milliseconds = 0 } = unit;
  if (months === undefined) return checked(new Date(date.getTime() + Math.trunc(count) * milliseconds));
  const month = date.getUTCMonth() + Math.trunc(count) * months;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const moved = new Date(date.getTime());
  moved.setUTCFullYear(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), last));
  return checked(moved);
}

/** @throws MdxEvaluationError if the date is out of range */
function checked(date: Date): Date {
  if (Number.isNaN(date.getTime())) throw new MdxEvaluationError('The date is out of range.');
  return date;
}

/** Counts the unit boundaries between two dates. Weeks begin on Sunday. */
function difference(from: Date, to: Date, { months, milliseconds = DAY }: ReturnType<typeof intervalUnit>): number {
  if (months !== undefined) {
    const index = (date: Date) => Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / months);
    return index(to) - index(from);
  }
  // 4 January 1970 was a Sunday.
  const shift = milliseconds === 7 * DAY ? 3 * DAY : 0;
  const index = (date: Date) => Math.floor((date.getTime() + shift) / milliseconds);
  return index(to) - index(from);
}

/** Returns a part of a date by the name of its interval. */
function part(date: Date, name: string | null): number {
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY) + 1;
  const parts: Readonly<Record<string, number>> = {
    yyyy: date.getUTCFullYear(),
    q: Math.floor(date.getUTCMonth() / 3) + 1,
    m: date.getUTCMonth() + 1,
    y: dayOfYear,
    d: date.getUTCDate(),
    w: date.getUTCDay() + 1,
    ww: Math.floor((dayOfYear + new Date(Date.UTC(date.getUTCFullYear(), 0, 1)).getUTCDay() - 1) / 7) + 1,
    h: date.getUTCHours(),
    n: date.getUTCMinutes(),
    s: date.getUTCSeconds(),
  };
  intervalUnit(name);
  return parts[(name ?? '').toLowerCase()] ?? 0;
}

/** Returns the name of a month or a weekday. Both are counted from 1. */
function nameOf(kind: 'month' | 'weekday', index: number, short: boolean): string {
  const names = (kind === 'month' ? monthNames : weekdayNames)(short ? 'short' : 'long');
  const name = names[index - 1];
  if (name === undefined) {
    throw new MdxEvaluationError(`There is no ${kind} ${index}; they go from 1 to ${names.length}.`);
  }
  return name;
}

/** Defines a function that names months or weekdays. */
function naming(name: string, kind: 'month' | 'weekday', what: string): FunctionDefinition {
  return define({
    name,
    syntax: 'function',
    parameters: 'numeric logical?',
    description: what,
    build: (_, arg, abbreviate) => {
      const number = numberOf(arg);
      const short = isSupplied(abbreviate) ? scalarOf(abbreviate) : () => false;
      return scalarCalc(STRING, [arg, abbreviate], (evaluator) => {
        const operand = number(evaluator);
        return operand === null ? null : nameOf(kind, operand, short(evaluator) === true);
      });
    },
  });
}

/** Compiles `Now()`. */
function now({ scope }: BuildContext): Calc {
  return scalarCalc(DATETIME, [], () => new Date(scope.clock()));
}

/** Defines a function that returns a part of a date. */
function datePart(name: string, what: string, part: (of: Date) => number): FunctionDefinition {
  return define({
    name,
    syntax: 'function',
    parameters: 'value',
    description: what,
    build: (_, arg) => {
      const value = scalarOf(arg);
      return scalarCalc(INTEGER, [arg], (evaluator) => {
        const operand = value(evaluator);
        return operand === null ? null : part(dateOf(operand));
      });
    },
  });
}

/** Returns the evaluation of an argument as a date. */
function dated(arg: Calc): (evaluator: Evaluator) => Date {
  const value = scalarOf(arg);
  return (evaluator) => dateOf(value(evaluator));
}

export const CALENDAR_FUNCTIONS: readonly FunctionDefinition[] = [
  define({ name: 'Now', syntax: 'function', parameters: '', description: 'The current date and time.', build: now }),
  define({
    name: 'Date',
    syntax: 'function',
    parameters: '',
    description: 'Today.',
    build: ({ scope }) => scalarCalc(DATETIME, [], () => new Date(new Date(scope.clock()).toISOString().slice(0, 10))),
  }),
  datePart('Year', 'The year of a date.', (of) => of.getUTCFullYear()),
  datePart('Month', 'The month of a date.', (of) => of.getUTCMonth() + 1),
  datePart('Day', 'The day of a date.', (of) => of.getUTCDate()),
  datePart('Hour', 'The hour of a date.', (of) => of.getUTCHours()),
  datePart('Minute', 'The minute of a date.', (of) => of.getUTCMinutes()),
  datePart('Second', 'The second of a date.', (of) => of.getUTCSeconds()),
  define({
    name: 'CDate',
    syntax: 'function',
    parameters: 'value',
    description: 'A value as a date.',
    build: (_, arg) => {
      const date = dated(arg);
      return scalarCalc(DATETIME, [arg], date);
    },
  }),
  define({
    name: 'Weekday',
    syntax: 'function',
    parameters: 'value',
    description: 'The day of the week, from 1 for Sunday.',
    build: (_, arg) => {
      const date = dated(arg);
      return integerCalc([arg], (evaluator) => date(evaluator).getUTCDay() + 1);
    },
  }),
  define({
    name: 'DateSerial',
    syntax: 'function',
    parameters: 'numeric numeric numeric',
    description: 'The date of a year, month and day.',
    build: (_, ...args) => {
      const numbers = args.map(numberOf);
      return scalarCalc(DATETIME, args, (evaluator) => {
        const [year = 0, month = 0, day = 0] = numbers.map((number) => number(evaluator) ?? 0);
        return checked(new Date(Date.UTC(year, month - 1, day)));
      });
    },
  }),
  define({
    name: 'DateAdd',
    syntax: 'function',
    parameters: 'string numeric value',
    description: 'The date after a number of intervals.',
    build: (_, name, count, arg) => {
      const [unit, number, date] = [stringOf(name), numberOf(count), dated(arg)];
      return scalarCalc(DATETIME, [name, count, arg], (evaluator) =>
        added(date(evaluator), intervalUnit(unit(evaluator)), number(evaluator) ?? 0),
      );
    },
  }),
  define({
    name: 'DateDiff',
    syntax: 'function',
    parameters: 'string value value',
    description: 'The number of interval boundaries between two dates.',
    build: (_, name, from, to) => {
      const [unit, first, second] = [stringOf(name), dated(from), dated(to)];
      return integerCalc([name, from, to], (evaluator) =>
        difference(first(evaluator), second(evaluator), intervalUnit(unit(evaluator))),
      );
    },
  }),
  define({
    name: 'DatePart',
    syntax: 'function',
    parameters: 'string value',
    description: 'A part of a date, such as the quarter.',
    build: (_, name, arg) => {
      const [unit, date] = [stringOf(name), dated(arg)];
      return integerCalc([name, arg], (evaluator) => part(date(evaluator), unit(evaluator)));
    },
  }),
  naming('MonthName', 'month', 'The name of a month from 1 to 12.'),
  naming('WeekdayName', 'weekday', 'The name of a weekday from 1 (Sunday) to 7.'),
];
