import type { DateGrain, MomentType, WeekDay } from '../date-grains.ts';
import type { EngineName } from '../engines.ts';
import type { Scalar, ScalarType } from './scalar.ts';

/** Limits of an engine on values, apart from its statements. */
export interface BoundLimits {
  /** Digits of a decimal in all, before the point and after it; `undefined` where no request is long enough to reach them. */
  readonly decimals:
    | {
        readonly digits: number;
        readonly before: number;
        readonly after: number;
        /** True where both sides of a comparison, the column included, must fit one such type. */
        readonly mixed: boolean;
      }
    | undefined;
  /** First and last day in ISO 8601: `9999-12-31`, `+270000-12-31`. */
  readonly days: readonly [first: string, last: string];
  /** True where columns called FLOAT or REAL contain numbers of 32 bits. */
  readonly singles: boolean;
  /** Bytes of all values of a statement; `undefined` where no body is long enough to reach them. */
  readonly bytes: number | undefined;
  /** True where members of an IN list are converted to the column's type, and refused where that fails. */
  readonly convertsLists: boolean;
}

/** A date or a time to take a grain of. */
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

/** Units of a step in time: seconds of timestamps, days of dates, months of both. */
export type StepUnit = 'second' | 'day' | 'month';

/** The chosen value of an ordered group, nulls aside. */
export interface Percentile {
  /** From 0 to 1, as `numerator / denominator`. */
  readonly numerator: number;
  readonly denominator: number;
  /** Between two values the one that lies between them (`PERCENTILE_CONT`), a double; else the first at or behind the place. */
  readonly isInterpolated: boolean;
  readonly isDescending: boolean;
}

/** A list of values that is bound as one parameter, a text. */
export interface ListSpelling {
  /** Writes the values into one text, which is bound with the type `text`. */
  text(values: readonly Scalar[]): string;
  /** Tests whether `expression` equals a value of the list that is bound at `index` (0-based). */
  contains(expression: string, index: number): string;
  /** Characters of such a text at most; a longer list is bound in several. */
  readonly maxLength: number;
}

/** Compares texts by their characters where a column's collation may ignore letter case, accents or trailing blanks. */
export interface ExactText {
  /**
   * Writes an expression that differs where values of `expression`, of any type, are written differently: values are grouped
   * by it and by the expression itself.
   */
  key(expression: string): string;
  /** Tests whether two values of any types that are equal by their collation are also written alike, if both are texts. */
  written(left: string, right: string): string;
  /**
   * Tests whether `expression`, a text, equals by its characters one of the texts that `bind` binds. `bind` returns
   * their placeholders, and may be called twice.
   */
  isOneOf(expression: string, bind: () => readonly string[]): string;
  /** Counts the values of `expression`, of any type, that are written differently; nulls are not counted. */
  countDistinct(expression: string): string;
}

/**
 * The SQL of one engine where engines differ. Pure: text in, text out, no connection. Every dialect must have every member
 * (a missing one does not compile). Arguments named `expression` are SQL that this product rendered; arguments named `name`
 * are untrusted identifiers.
 */
export interface Dialect {
  /** The engine, as logs and documentation name it. */
  readonly name: EngineName;
  /** Limits of bound values; a value beyond them can equal no value of the engine. */
  readonly holds: BoundLimits;
  /** The SQL parser library's name of this dialect, for translating expressions of models into it. */
  readonly parserName: string;
  /** Quotes an identifier so that it means exactly `name`, with any characters. */
  identifier(name: string): string;
  /** Writes the placeholder of the parameter at `index` (0-based), typed where the engine would otherwise guess. */
  placeholder(index: number, type: ScalarType): string;
  /**
   * Returns the binding of a long list of values of a type as one parameter, with each value the same as by `placeholder`;
   * `undefined` where the engine takes them only one by one, or just as well.
   */
  list(type: ScalarType): ListSpelling | undefined;
  /**
   * Writes a typed constant of a model's rows, where no placeholder is allowed: `text` is the value of `Scalar` as
   * text. `null` is the NULL of that type.
   */
  literal(text: string | null, type: ScalarType): string;
  /** Writes the aggregate that gives a percentile of `expression` exactly; `undefined` where the engine has none. */
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
  /** Casts `expression` to text, for substring search over values of any type. */
  castToText(expression: string): string;
  /** Tests whether `text` contains `needle` (both SQL text expressions), regardless of letter case. */
  containsIgnoringCase(text: string, needle: string): string;
  /** Casts `expression` to a double or decimal, so that `a / b` never divides integers. */
  castForDivision(expression: string): string;
  /** Writes one ORDER BY item with nulls last in either direction. */
  orderBy(expression: string, direction: 'asc' | 'desc'): string;
  /** Writes the clause that limits rows, such as `LIMIT 10`. */
  limit(rows: number): string;
  readonly grains: GrainFunctions;
  /**
   * Reads the zone data that `grains` needs, where that takes long: if it is read before, `grains` does not block the event
   * loop.
   */
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
