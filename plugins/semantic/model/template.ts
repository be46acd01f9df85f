/**
 * Parsed SQL of a model, with its names as holes. Text parts are already in the warehouse's dialect. A hole is filled when
 * a query is rendered, so that every name of a document passes through `Dialect.identifier`.
 */
import type { Period } from '../../../router/calendar.ts';
import type { Dialect, Percentile } from '../../../router/capabilities/dialect.ts';
import type { ScalarType } from '../../../router/capabilities/scalar.ts';
import type { Aggregation } from './aggregations.ts';
import type { NamedPeriod } from './fiscal-year.ts';
import type { Take, WindowGrain, WindowTake } from './metric-kinds.ts';

export type Template<Leaf> = readonly TemplatePart<Leaf>[];
export type TemplatePart<Leaf> = string | Hole<Leaf>;
/** A part that is filled in later. */
export type Hole<Leaf> = Leaf | Division<Leaf> | AggregateCall<Leaf>;

/** `left / right`. It is rendered as a division of doubles or decimals that is guarded against zero. */
export interface Division<Leaf> {
  readonly kind: 'division';
  readonly left: Template<Leaf>;
  readonly right: Template<Leaf>;
}

/** One aggregate call. Calls never nest. */
export interface AggregateCall<Leaf> {
  readonly kind: 'aggregate';
  readonly aggregation: Aggregation;
  /** The call itself, such as `SUM(⟨column⟩)`. */
  readonly call: Template<Leaf>;
  /** The only plain argument, on which another aggregation may be called instead; absent for `COUNT(*)`. */
  readonly argument: Template<Leaf> | undefined;
  /** The expression with the distinct values that the call counts; absent for other calls, and where it counts pairs. */
  readonly distinct?: Template<Leaf> | undefined;
  /** True when the result is a number of rows or of things: `COUNT`, `SUM` of a 1-or-0 expression. */
  readonly counts: boolean;
  /** True where its sum has the same digits in every order of rows; see `sumsExactly`. Set when a metric is bound. */
  readonly sumsExactly?: boolean | undefined;
  /** The dataset that a call without columns counts, where it differs from its metric's. */
  readonly countedDataset?: string | undefined;
  /** Set for a percentile; `call` is then only the ordered expression. */
  readonly percentile?: Percentile | undefined;
  /** Set where the call aggregates other rows than the rows of a group. */
  readonly scope?: AggregateScope | undefined;
}

/**
 * The rows that a call aggregates, as its metric's kind defines them. Calls with the same dataset and scope are computed
 * together.
 */
export interface AggregateScope {
  /** Conditions that its rows must all meet. */
  readonly filters?: readonly Bound[] | undefined;
  /** Set where a group has the rows of an earlier time. */
  readonly offset?: Offset | undefined;
  /** Set where only the rows of one date of each group are aggregated. */
  readonly taken?: Taken | undefined;
  /** Set where the window that ends with each period is aggregated, and not only the period. */
  readonly window?: Window | undefined;
  /** Set where the rows are events, each of which counts for the base event before it. */
  readonly conversion?: Conversion | undefined;
}

/** The date or timestamp that a scope's rows are selected by. */
export interface ScopeDate {
  readonly dataset: string;
  readonly name: string;
  readonly expression: Bound;
  readonly type: ScalarType;
  readonly nativeType: string;
  readonly isLocalTime: boolean;
}

/** The window of rows that a cumulative metric aggregates for its last day. */
export interface Window {
  readonly by: ScopeDate;
  readonly length: WindowLength;
  readonly take: WindowTake;
}

export type WindowLength =
  | { readonly kind: 'last'; readonly count: number; readonly grain: Period }
  | { readonly kind: 'last_of_table'; readonly count: number; readonly table: TableDays }
  | { readonly kind: 'to_date'; readonly period: NamedPeriod }
  | { readonly kind: 'to_date_of_table'; readonly table: TableDays }
  | { readonly kind: 'all' };

/** The days of a calendar's table, and the key of their periods. */
export interface TableDays {
  /** The grain's name in requests. */
  readonly name: string;
  readonly dataset: string;
  readonly date: ScopeDate;
  readonly key: ScopeDate;
}

/** Settings that match an event to the latest base event before it. */
export interface Conversion {
  readonly base: ConversionSide;
  readonly conversion: ConversionSide;
  /** The longest time between the two; `undefined` for any time. */
  readonly window: { readonly count: number; readonly grain: WindowGrain } | undefined;
}

export interface ConversionSide {
  readonly dataset: string;
  readonly by: ScopeDate;
  /** The columns in which a base event and its conversion must be equal, such as the customer. */
  readonly alike: readonly Bound[];
  /** Conditions on the events. The scope itself has the conditions on the conversions. */
  readonly filters: readonly Bound[];
}

/** A step of the calendar from one day to another. */
export interface DayShift {
  readonly unit: 'month' | 'day';
  readonly count: number;
}

/** A step by the periods of a calendar's table. */
export interface TableShift {
  readonly unit: 'period';
  readonly count: number;
  readonly table: TableDays;
}

/** Moves the rows of a group to an earlier time by a date field, or to the first day of a period. */
export type Offset = {
  readonly by: { readonly dataset: string; readonly field: string };
} & ({ readonly to?: undefined; readonly shift: DayShift | TableShift } | { readonly to: NamedPeriod | TableDays });

/** Returns whether a period is defined by a calendar's table. */
export function isOfDays(period: NamedPeriod | TableDays): period is TableDays {
  return 'dataset' in period;
}

/**
 * The date at which rows are taken: the last or the first date of a period, for each value of `per` separately, or each
 * date for a mean.
 */
export interface Taken {
  readonly take: Take;
  readonly by: Bound;
  readonly per: readonly Bound[];
  /** Its name in messages: `inventory.date`. */
  readonly name: string;
}

/** A name in the document's spelling. */
export interface NameLeaf {
  readonly kind: 'name';
  readonly qualifier: string | undefined;
  readonly name: string;
}

/** A physical column of a dataset. */
export interface ColumnLeaf {
  readonly kind: 'column';
  readonly dataset: string;
  readonly column: string;
}

export type Parsed = Template<NameLeaf>;
export type Bound = Template<ColumnLeaf>;
export type BoundAggregate = AggregateCall<ColumnLeaf>;

type AnyLeaf = { readonly kind: 'name' } | { readonly kind: 'column' };

function isDivision<Leaf extends AnyLeaf>(part: Hole<Leaf>): part is Division<Leaf> {
  return part.kind === 'division';
}

function isAggregate<Leaf extends AnyLeaf>(part: Hole<Leaf>): part is AggregateCall<Leaf> {
  return part.kind === 'aggregate';
}

/** Replaces every leaf by a template. */
export function fill<From extends AnyLeaf, To extends AnyLeaf>(
  template: Template<From>,
  leaf: (leaf: From) => Template<To>,
): Template<To> {
  return template.flatMap((part): Template<To> => {
    if (typeof part === 'string') return [part];
    if (isDivision(part)) return [{ kind: 'division', left: fill(part.left, leaf), right: fill(part.right, leaf) }];
    if (isAggregate(part)) {
      return [
        {
          kind: 'aggregate',
          aggregation: part.aggregation,
          call: fill(part.call, leaf),
          argument: part.argument === undefined ? undefined : fill(part.argument, leaf),
          distinct: part.distinct === undefined ? undefined : fill(part.distinct, leaf),
          counts: part.counts,
          countedDataset: part.countedDataset,
          percentile: part.percentile,
          scope: part.scope,
        },
      ];
    }
    return leaf(part);
  });
}

/** Lists every leaf in order, including leaves inside aggregate calls. */
export function leavesOf<Leaf extends AnyLeaf>(template: Template<Leaf>): readonly Leaf[] {
  return template.flatMap((part): readonly Leaf[] => {
    if (typeof part === 'string') return [];
    if (isDivision(part)) return [...leavesOf(part.left), ...leavesOf(part.right)];
    if (isAggregate(part)) return leavesOf(part.call);
    return [part];
  });
}

/** Lists every column that decides which rows are aggregated. */
export function leavesOfScope({ filters = [], taken }: AggregateScope): readonly ColumnLeaf[] {
  const dates = taken === undefined ? [] : [taken.by, ...taken.per];
  return [...filters, ...dates].flatMap((each) => leavesOf(each));
}

/** Lists the leaves outside of every aggregate call. */
export function bareLeavesOf<Leaf extends AnyLeaf>(template: Template<Leaf>): readonly Leaf[] {
  return template.flatMap((part): readonly Leaf[] => {
    if (typeof part === 'string' || isAggregate(part)) return [];
    if (isDivision(part)) return [...bareLeavesOf(part.left), ...bareLeavesOf(part.right)];
    return [part];
  });
}

/** Lists every aggregate call in order. */
export function aggregatesOf<Leaf extends AnyLeaf>(template: Template<Leaf>): readonly AggregateCall<Leaf>[] {
  return template.flatMap((part): readonly AggregateCall<Leaf>[] => {
    if (typeof part === 'string') return [];
    if (isDivision(part)) return [...aggregatesOf(part.left), ...aggregatesOf(part.right)];
    return isAggregate(part) ? [part] : [];
  });
}

/** Changes every aggregate call. */
export function mapAggregates(template: Bound, change: (call: BoundAggregate) => BoundAggregate): Bound {
  return template.map((part) => {
    if (typeof part === 'string' || part.kind === 'column') return part;
    if (part.kind === 'aggregate') return change(part);
    return { ...part, left: mapAggregates(part.left, change), right: mapAggregates(part.right, change) };
  });
}

/** The SQL that replaces the parts of a template. */
export interface Filling {
  readonly column: (leaf: ColumnLeaf) => string;
  /** Writes an aggregate call; if absent, the call is written with its columns. */
  readonly aggregate?: ((call: BoundAggregate) => string) | undefined;
}

/**
 * Renders the template as SQL of one expression. The caller adds parentheses where it combines the expression with
 * operators.
 */
export function renderTemplate(template: Bound, dialect: Dialect, filling: Filling): string {
  return template.map((part) => renderPart(part, dialect, filling)).join('');
}

function renderPart(part: TemplatePart<ColumnLeaf>, dialect: Dialect, filling: Filling): string {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'column':
      return filling.column(part);
    case 'aggregate':
      return filling.aggregate?.(part) ?? renderTemplate(part.call, dialect, filling);
    case 'division': {
      const left = renderTemplate(part.left, dialect, filling);
      const right = renderTemplate(part.right, dialect, filling);
      return `(${dialect.castForDivision(left)} / ${isNonZeroNumber(right) ? right : `NULLIF(${right}, 0)`})`;
    }
  }
}

function isNonZeroNumber(sql: string): boolean {
  return /^\d+(\.\d+)?$/.test(sql) && Number(sql) !== 0;
}
