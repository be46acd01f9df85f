/** The periods of a table with a row for each day, in the order of their first days. */
import { DAY_MS, dateText, momentText, readMoment } from '../../../router/calendar.ts';
import type { Scalar, ScalarType } from '../../../router/capabilities/warehouse.ts';

/** A grain with periods in a dataset. A statement names a period by its first day, an answer by its key. */
export interface PeriodTable {
  /** The grain's name in requests. */
  readonly name: string;
  readonly dataset: string;
  /** Fields of the dataset: the day of a row, the key of its period, and the label of the period. */
  readonly date: string;
  readonly key: string;
  readonly label: string | undefined;
  readonly keyType: ScalarType;
  /** The periods that the caller may see; `undefined` until a request that names the grain has read them. */
  readonly periods: Periods | undefined;
}

export interface TablePeriod {
  /** Its first and last day, as numbers. Days between them may belong to no period. */
  readonly first: number;
  readonly last: number;
  readonly key: PeriodKey;
  readonly label: string;
}
export type PeriodKey = string | number | boolean;

/** Types of fields that can be the key of a period. */
export const KEY_TYPES: readonly ScalarType[] = ['integer', 'decimal', 'text', 'date', 'timestamp', 'timestamptz'];

/** The most candidates in an error. */
const MAX_CANDIDATES = 1_000;

/** Periods in their order. */
export class Periods {
  readonly all: readonly TablePeriod[];
  readonly #firsts: readonly number[];
  readonly #places: ReadonlyMap<number, number>;
  readonly #byKey: ReadonlyMap<string, TablePeriod>;
  readonly #byLabel: ReadonlyMap<string, readonly TablePeriod[]>;
  /** The latest day of each period and of all periods before it: the days of two periods may overlap. */
  readonly #reach: readonly number[];
  #byNumber: ReadonlyMap<number, TablePeriod> | undefined;

  /** @param all sorted by their first days, which are different */
  constructor(all: readonly TablePeriod[]) {
    this.all = all;
    this.#firsts = all.map(({ first }) => first);
    this.#places = new Map(this.#firsts.map((first, place) => [first, place]));
    this.#byKey = new Map(all.map((period) => [String(period.key), period]));
    const byLabel = new Map<string, TablePeriod[]>();
    for (const period of all) {
      const label = period.label.toLowerCase();
      if (byLabel.get(label)?.push(period) === undefined) byLabel.set(label, [period]);
    }
    this.#byLabel = byLabel;
    let reach = Number.NEGATIVE_INFINITY;
    this.#reach = all.map(({ last }) => {
      reach = Math.max(reach, last);
      return reach;
    });
  }

  /** Returns the period that begins on a day. */
  at(first: number): TablePeriod | undefined {
    return this.all[this.#places.get(first) ?? -1];
  }

  /** Returns the display name of the period with a key. */
  labelOf(key: Scalar): string | undefined {
    return this.#byKey.get(String(key))?.label;
  }

  /** Returns the period `count` periods after the one that begins on `first`; before it where `count` is below 0. */
  after(first: number, count: number): TablePeriod | undefined {
    const place = this.#places.get(first);
    return place === undefined ? undefined : this.all[place + count];
  }

  /** Finds a period by its key, its display name or one of its days. */
  meant(written: string): TablePeriod | undefined {
    const period = this.#byKey.get(written) ?? this.#numbered(written);
    if (period !== undefined) return period;
    const called = this.#byLabel.get(written.toLowerCase()) ?? [];
    if (called.length > 0) return called.length === 1 ? called[0] : undefined;
    const moment = readMoment(written);
    const around = moment === undefined ? [] : this.within(Math.floor(moment / DAY_MS), Math.floor(moment / DAY_MS));
    return around.length === 1 ? around[0] : undefined;
  }

  /** Returns the first period with a day from `day` on. */
  endingFrom(day: number): TablePeriod | undefined {
    return this.all[placeFrom(this.#reach, day)];
  }

  /** Returns the last period that begins on `day` or before it. */
  beginningBy(day: number): TablePeriod | undefined {
    return this.all[this.#countBeginningBy(day) - 1];
  }

  /** Returns the periods that overlap the days from `from` to `to`. */
  within(from: number, to: number): readonly TablePeriod[] {
    return this.all.slice(placeFrom(this.#reach, from), this.#countBeginningBy(to)).filter(({ last }) => last >= from);
  }

  /** Lists the keys that a request may name; only the last ones of many. */
  keys(): readonly string[] {
    return this.all.slice(-MAX_CANDIDATES).map(({ key }) => String(key));
  }

  #countBeginningBy(day: number): number {
    return placeFrom(this.#firsts, day + 1);
  }

  /** Finds a period with a number as its key, which may have several spellings: `7`, `7.0`. */
  #numbered(written: string): TablePeriod | undefined {
    if (!/^[+-]?\d{1,15}(\.\d{1,15})?$/.test(written)) return undefined;
    // A map keeps the last entry of a number. The list is reversed, so that the first period is kept.
    this.#byNumber ??= new Map(
      this.all.toReversed().flatMap((period) => (period.key === '' ? [] : [[Number(period.key), period] as const])),
    );
    return this.#byNumber.get(Number(written));
  }
}

/** Returns the index of the first number that is at least `least`, among numbers that never decrease. */
function placeFrom(rising: readonly number[], least: number): number {
  let [from, to] = [0, rising.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((rising[middle] ?? 0) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns a key as answers show it: dates and moments in ISO 8601, whole numbers too large for a double as text. */
export function keyCell(value: Scalar, type: ScalarType): PeriodKey {
  if (value === null) return '';
  const moment =
    type === 'date' || type === 'timestamp' || type === 'timestamptz' ? readMoment(String(value)) : undefined;
  if (moment !== undefined) {
    if (type === 'date') return dateText(Math.floor(moment / DAY_MS));
    return `${momentText(moment)}${type === 'timestamptz' ? 'Z' : ''}`;
  }
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (type === 'integer' && typeof value === 'string' && /^-?\d+$/.test(value)) return keyCell(BigInt(value), type);
  return value;
}
