/** The target of a query: a model over a warehouse, and the settings of the answers. */
import type { Clock } from '../../../../router/capabilities/clock.ts';
import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';
import type { KAnonymity, RollupUse } from '../../../query-surface/index.ts';
import type { Model, Rollup } from '../../model/model.ts';
import type { Join } from './plan.ts';
import type { Rewrites } from './rewrites.ts';

/** Settings of the configuration that decide how queries are answered. */
export interface QuerySettings {
  /** The most rows of an answer to a request without a limit. */
  readonly maxRows: number;
  /** Time that answers are kept, milliseconds. */
  readonly cacheTtlMs: number;
  /** Rows that count fewer than `threshold` are masked with `mask`; 0 masks nothing. */
  readonly kAnonymity: KAnonymity;
  /** Set by tests: other ways of writing statements than the default ones. */
  readonly rewrites?: Partial<Rewrites> | undefined;
}

/** The configuration, and the clock that relative periods count to. */
export interface QueryContext extends QuerySettings {
  readonly clock: Clock;
}

export interface Target {
  readonly model: Model;
  readonly warehouse: Warehouse;
  /** Leading parts of cache keys of this model's answers. */
  readonly keyPrefix: readonly string[];
  readonly integrity: CheckedJoins;
}

/** The size of a dataset, measured for one version of the data. */
export interface DatasetFigures {
  readonly rows: number;
  /** Approximate numbers of different values of its foreign keys, by column. */
  readonly distinct: ReadonlyMap<string, number>;
  /** The first and the last day of its dates, by field, as days since 1970-01-01. */
  readonly dates: ReadonlyMap<string, { readonly first: number; readonly last: number }>;
}

/** The joins that lose no row, checked for one version of the data. */
export interface CheckedJoins {
  /** The version of the data that was checked; `undefined` before the first check. */
  readonly version: string | undefined;
  /** Reports whether each row of the join's parent has a partner, so that an inner join loses none. */
  readonly isTotalJoin: (join: Join) => boolean;
  /** Returns the figures of a dataset in this version; `undefined` where it was not measured. */
  readonly figuresOf: (dataset: string) => DatasetFigures | undefined;
  /** Returns whether a roll-up may be read. */
  readonly useOf: (rollup: Rollup) => RollupUse;
  /** Explains why the last refresh of a roll-up failed; `undefined` where it did not. */
  readonly failureOf?: ((rollup: Rollup) => string | undefined) | undefined;
  /** Starts to check a version of the data in the background. */
  check(version: string | undefined): void;
}
