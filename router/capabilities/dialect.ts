import type { DateGrain, MomentType, WeekDay } from '../date-grains.ts';
import type { EngineName } from '../warehouse-engines.ts';
import type { Scalar, ScalarType } from './scalar.ts';

/** Limits of an engine on values, apart from its statements. */
export interface BoundLimits {
  /** Total digits of a decimal; `undefined` where no request is long enough to reach the limit. */
  readonly decimals:
    | {
        readonly digits: number;
        readonly before: number;
        readonly after: number;
        /** True where both sides of a comparison, also a column, must fit one such type. */
        readonly mixed: boolean;
      }
    | undefined;
  /** First and last day in ISO 8601: `9999-12-31`, `+270000-12-31`. */
  readonly days: readonly [first: string, last: string];
  /** True where columns of the types FLOAT or REAL have 32 bits. */
  readonly singles: boolean;
  /** Bytes of all values of a statement; `undefined` where no body is long enough to reach them. */
  readonly bytes: number | undefined;
  /** True where the members of an IN list are converted to the column's type, and refused where that fails. */
  readonly convertsLists: boolean;
}

/** A date or time expression for a grain. */
export interface Moment {
  readonly expression: string;
  readonly type: MomentType;
  /**
   * The IANA name of the zone of the clocks; the expression is then an instant (a `timestamp` in UTC). Without one,
   * the expression shows a clock itself.
   */
  readonly zone: string | undefined;
}

/**
 * Writes each grain of a moment: a `timestamp` (with a zone, an instant of the moment's type) for grains of the clock,
 * a `date` for grains of the calendar, an `integer` for parts. Null for null.
 */
export type GrainFunctions = Readonly<Record<DateGrain, (moment: Moment, firstDay: WeekDay) => string>>;

/** The periods that have numbers. */
export type NumberedPeriod = 'month' | 'quarter' | 'year';

/** Numbers of periods, for an engine that groups whole numbers faster than dates. */
export interface PeriodNumbers {
  /** Writes the number of a moment's period. The moment is null, or finite and after the year 0; null for null. */
  of(period: NumberedPeriod, moment: Moment): string;
  /** Writes the first day of the period with a number, a `date`. */
  firstDay(period: NumberedPeriod, number: string): string;
}

/** Units of a step in time: seconds of timestamps, days of dates, months of both. */
export type StepUnit = 'second' | 'day' | 'month';

/** The type of a column, and the engine's own name of it. */
export interface ColumnType {
  readonly type: ScalarType;
  readonly nativeType: string;
}

/** The percentile of an ordered group, without nulls. */
export interface Percentile {
  /** From 0 to 1, as `numerator / denominator`. */
  readonly numerator: number;
  readonly denominator: number;
  /** Interpolates between two values (`PERCENTILE_CONT`), as a double; otherwise the first value at or after the position. */
  readonly isInterpolated: boolean;
  readonly isDescending: boolean;
}

/** A list of values that is bound as one parameter, a text. */
export interface ListSpelling {
  /** Writes the values into one text, which is bound with the type `text`. */
  text(values: readonly Scalar[]): string;
  /** Tests whether `expression` equals a value of the list bound at `index` (0-based). */
  contains(expression: string, index: number): string;
  /** Maximum characters of such a text; a longer list is bound as several texts. */
  readonly maxLength: number;
}

/** Compares texts exactly where a column's collation may ignore letter case, accents or trailing blanks. */
export interface ExactText {
  /** Writes an expression that distinguishes differently written values of `expression`, of any type. Groups use it together with the expression. */
  key(expression: string): string;
  /** Writes the text of a `key` of texts. */
  textOfKey(key: string): string;
  /** Tests whether two values of any types that are equal by their collation are also written alike, if both are texts. */
  written(left: string, right: string): string;
  /**
   * Tests whether `expression`, a text, exactly equals one of the texts that `bind` binds. `bind` returns their placeholders, and may be called
   * twice.
   */
  isOneOf(expression: string, bind: () => readonly string[]): string;
  /** Counts the differently written values of `expression`, of any type, without nulls. */
  countDistinct(expression: string): string;
  /**
   * Writes the aggregate for the lowest of the texts of `expression` by their characters, the same in every order of rows. Texts that are equal by their
   * collation have no order of their own.
   *
   * @param over the OVER clause of a window, where it is one
   */
  lowest(expression: string, over?: string): string;
  /** Writes a text that two texts of `expression` share where they are equal by their collation, in any statement. */
  collated(expression: string): string;
}

/**
 * The SQL of one engine where engines differ. Pure: text in, text out, no connection. Every dialect must have every member
 * (a missing one does not compile). Arguments named `expression` are SQL that this product rendered; arguments named `name`
 * are untrusted identifiers.
 */
export interface Dialect {
  /** Name of the engine in logs and documentation. */
  readonly name: EngineName;
  /** Limits of bound values; no value of the engine equals a value beyond them. */
  readonly holds: BoundLimits;
  /** The SQL parser library's name of this dialect, for translating expressions of models into it. */
  readonly parserName: string;
  /** Quotes an identifier so that it means exactly `name`, with any characters. */
  identifier(name: string): string;
  /** Writes the placeholder of the parameter at `index` (0-based), typed where the engine would otherwise guess. */
  placeholder(index: number, type: ScalarType): string;
  /**
   * Returns the binding of a long list of values of a type as one parameter, with the meaning of single placeholders; `undefined` where the engine
   * needs single placeholders, or is as fast with them.
   */
  list(type: ScalarType): ListSpelling | undefined;
  /**
   * Writes a typed constant for a model's rows, where no placeholder is allowed: `text` is the value as a `Scalar` text, and `null` is the type's
   * NULL.
   */
  literal(text: string | null, type: ScalarType): string;
  /** Writes the aggregate for an exact percentile of `expression`; `undefined` where the engine has none. */
  percentile(expression: string, percentile: Percentile): string | undefined;
  /** Writes an approximate distinct count of `expression`; `undefined` where the engine has none. */
  approximateDistinct(expression: string): string | undefined;
  /**
   * Writes a FROM item of about `percent` of the rows of a table (SQL of its name), picked without reading the
   * others; `undefined` where the engine has none. Not for views.
   */
  sampled(table: string, percent: number): string | undefined;
  /** Compares texts exactly; `undefined` where columns without an explicit collation compare exactly. */
  readonly exactText: ExactText | undefined;
  /** Casts `expression`, a scalar value, to text. */
  castToText(expression: string): string;
  /**
   * Writes the text of a column's value, by which values are compared that have no literals: structures, bytes (as base64)
   * and types that only the engine knows. `undefined` where the engine has no text of the type.
   */
  valueText(expression: string, column: ColumnType): string | undefined;
  /** Writes the text of a double as answers show it, for substring search: as few digits as tell it apart, without an exponent from 10^-6 to 10^21. */
  shownNumber(expression: string): string;
  /** Writes an instant, a value of `timestamptz`, so that it leaves the engine as one: not as the time that a zone's clock shows. */
  instantInUtc(expression: string): string;
  /** Tests whether `text` contains `needle` (both SQL text expressions), regardless of letter case. */
  containsIgnoringCase(text: string, needle: string): string;
  /** Casts `expression` to a double or decimal, so that `a / b` never divides integers. */
  castForDivision(expression: string): string;
  /** Casts `expression`, a whole number of any type, to the type of a count. */
  castToCount(expression: string): string;
  /** True where sums of decimals have the same digits in every order of rows: decimals are no doubles. */
  readonly sumsDecimalsExactly: boolean;
  /** True where the engine sorts all rows of a group for `COUNT(DISTINCT …)`, which takes longer than grouping by the counted values first. */
  readonly sortsToCountDistinct: boolean;
  /** Writes one ORDER BY item with nulls last in either direction. */
  orderBy(expression: string, direction: 'asc' | 'desc'): string;
  /** True where each reference of a common table expression is computed anew, so that a query refers to it as rarely as it can. */
  readonly inlinesCommonTables: boolean;
  /**
   * Writes the null of a branch of UNION ALL that lacks a column of the others.
   *
   * @param column the column that another branch has
   * @param from the query of that branch, which gives the type where a bare NULL has none
   */
  lackedColumn(column: string, from: string): string;
  /** Writes an item of FROM behind CROSS JOIN: `alias` with a column `n`, the numbers from 0 to `count - 1`, 100,000 of them at most. */
  numbers(alias: string, count: number): string;
  /** Writes the clause that limits rows, such as `LIMIT 10`. */
  limit(rows: number): string;
  readonly grains: GrainFunctions;
  /** Writes periods as numbers; `undefined` where that is not faster. */
  readonly periodNumbers: PeriodNumbers | undefined;
  /** Reads the zone data for `grains` ahead, where that takes long, so that `grains` does not block the event loop. */
  readonly readZone?: (zone: string) => Promise<void>;
  /**
   * Moves a moment by `count` units (SQL of a whole number, earlier below 0) and keeps its type. A day that a month
   * lacks becomes its last day; months of an instant are UTC months. Moved by 0 seconds, a timestamp compares with
   * other timestamps.
   */
  shifted(moment: Moment, count: string, unit: StepUnit): string;
  /** Tests equality and treats two nulls as equal. */
  nullSafeEquals(left: string, right: string): string;
}
