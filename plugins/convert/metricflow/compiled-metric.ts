/** The form of a dbt metric in the document, and the context of its compilation. */
import { LeftOut, type Owned, type Project } from './project.ts';
import type { Input, Measure, Metric } from './read.ts';

export interface Compiled {
  readonly sql: string;
  /** Set where the SQL reads no column, to name the dataset of the aggregated rows. */
  readonly dataset: string | undefined;
  /** The metric's kinds in our vendor block, such as `{ cumulative: … }`; empty where the SQL is enough. */
  readonly kinds: Readonly<Record<string, unknown>>;
  /** The differences from dbt that the conversion causes. */
  readonly remarks: readonly string[];
  /** The dates by which it is aggregated, each as `dataset.field`. */
  readonly dates: ReadonlySet<string>;
}

/** Returns whether the SQL of a metric may be part of another metric's SQL. */
export function isPlain({ kinds }: Compiled): boolean {
  return Object.keys(kinds).length === 0;
}

/** A metric that another metric needs and that the project does not define. It is hidden from views. */
export interface Helper {
  readonly name: string;
  readonly of: string;
  readonly compiled: Compiled;
}

/** The context of the inputs of one metric. */
export interface Context {
  readonly owner: Metric;
  /** The names of the metrics in the chain, by which circles are found. */
  readonly within: readonly string[];
  readonly helpers: Helper[];
}

/** The functions over a whole project that the kinds of metrics need. */
export interface Measures {
  readonly project: Project;
  /** Writes the aggregate of a measure under the conditions of dbt's `filters`. */
  aggregateOf(
    input: Input,
    filters: readonly string[],
  ): { readonly measure: Owned<Measure>; readonly compiled: Compiled };
  /** Returns the metric that is only this measure, if the project has one. */
  metricOfMeasure(name: string): string | undefined;
  /** Makes a metric that only its owner needs, and returns its name. */
  helper(compiled: Compiled, of: string, context: Context): string;
}

/**
 * Returns the context of the inputs of a metric.
 *
 * @throws LeftOut where it is an input of itself
 */
export function inside(context: Context, { name }: Metric): Context {
  if (context.within.includes(name)) throw new LeftOut('it is computed from itself');
  return { ...context, within: [...context.within, name] };
}

export function inputOf(name: string): Input {
  return {
    name,
    filter: undefined,
    alias: undefined,
    fill_nulls_with: undefined,
    join_to_timespine: undefined,
    offset_window: undefined,
    offset_to_grain: undefined,
  };
}

/** The warning that a filter becomes a test of each row, which keeps groups without matching rows. */
export const KEEPS_EMPTY_GROUPS =
  'a group without rows that its filter keeps is answered here, with null (0 of a count), and is not in dbt';

/** Merges the facts of several parts. As in dbt, a group exists where one of the parts has it. */
export function together(parts: readonly Compiled[]): Pick<Compiled, 'remarks' | 'dates'> {
  const isOfAll = parts.every(({ remarks }) => remarks.includes(KEEPS_EMPTY_GROUPS));
  const remarks = new Set(parts.flatMap((part) => part.remarks));
  return {
    remarks: [...remarks].filter((one) => isOfAll || one !== KEEPS_EMPTY_GROUPS),
    dates: new Set(parts.flatMap(({ dates }) => [...dates])),
  };
}
