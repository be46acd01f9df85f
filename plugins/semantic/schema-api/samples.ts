/** Reads some values of each field, and the number of distinct values, for the description of a model. */

import type { Cache } from '../../../router/capabilities/cache.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { ColumnarResult, Scalar, Statement } from '../../../router/capabilities/warehouse.ts';
import { WarehouseError } from '../../../router/errors.ts';
import { sql } from '../../query-surface/index.ts';
import type { Dataset, Field, Model } from '../model/model.ts';
import { execute } from '../query/execute/cached-statement.ts';
import { singleDatasetTree } from '../query/joins/join-tree.ts';
import { isSingle, shortestSingle } from '../query/nodes/comparable-values.ts';
import type { Target } from '../query/nodes/query-target.ts';
import { RowsRenderer } from '../query/render/rows.ts';

export interface FieldFacts {
  readonly sampleValues: readonly Exclude<Scalar, bigint>[];
  readonly estimatedDistinct: number | undefined;
  readonly cardinality: Cardinality;
}

/** The facts about fields, by dataset and field. */
export type ModelFacts = ReadonlyMap<string, ReadonlyMap<string, FieldFacts>>;

export type Cardinality = 'low' | 'medium' | 'medium-high' | 'high';

/** The most distinct values of a field with `low`, `medium` and `medium-high` cardinality; with more it is `high`. */
const CARDINALITY_LIMITS = { low: 50, medium: 1_000, 'medium-high': 100_000 } as const;

function cardinalityOf(distinct: number): Cardinality {
  if (distinct <= CARDINALITY_LIMITS.low) return 'low';
  if (distinct <= CARDINALITY_LIMITS.medium) return 'medium';
  return distinct <= CARDINALITY_LIMITS['medium-high'] ? 'medium-high' : 'high';
}

export interface SampleSettings {
  /** The time for which samples are kept, in milliseconds. */
  readonly samplesTtlMs: number;
}

const SAMPLE_VALUES = 10;
/** The rows from which samples are taken, so that the description of a large table stays fast. */
const SAMPLED_ROWS = 100_000;
/** Longer texts do not help an agent and fill its context. */
const MAX_SAMPLE_LENGTH = 200;

export class Samples {
  readonly #cache: Cache;
  readonly #log: Log;
  readonly #settings: SampleSettings;

  constructor(cache: Cache, log: Log, settings: SampleSettings) {
    this.#cache = cache;
    this.#log = log;
    this.#settings = settings;
  }

  /** Returns the facts of every field of a dataset as its caller may see it, by field name. */
  async of(dataset: Dataset, model: Model, target: Target, refresh: boolean): Promise<ReadonlyMap<string, FieldFacts>> {
    const fields = [...dataset.fields.values()];
    if (fields.length === 0) return new Map();
    const distinct = await this.#run(distinctStatement(dataset, fields, model, target), target, refresh);
    const facts = new Map<string, FieldFacts>();
    for (const [index, field] of fields.entries()) {
      const values = await this.#run(valuesStatement(dataset, field, model, target), target, refresh);
      const count = Number(distinct?.values[index]?.[0] ?? 0);
      const exact = target.warehouse.dialect.approximateDistinct('1') !== undefined;
      facts.set(field.name, {
        sampleValues: (values?.values[0] ?? []).flatMap((value) => shown(value, field)),
        estimatedDistinct: exact && distinct !== undefined ? count : undefined,
        cardinality: cardinalityOf(count),
      });
    }
    return facts;
  }

  /** Samples some values of one field, as texts. */
  async valuesOf(field: Field, model: Model, target: Target): Promise<readonly string[]> {
    const dataset = model.datasets.get(field.dataset);
    if (dataset === undefined) return [];
    const values = await this.#run(valuesStatement(dataset, field, model, target), target, false);
    return (values?.values[0] ?? []).flatMap((value) => shown(value, field)).map(String);
  }

  /** Runs a sample. A failure is logged and does not fail the description of the model. */
  async #run(statement: Statement, target: Target, refresh: boolean): Promise<ColumnarResult | undefined> {
    try {
      const { value } = await execute(statement, {
        warehouse: target.warehouse,
        cache: this.#cache,
        keyPrefix: [...target.keyPrefix, 'samples'],
        ttlMs: this.#settings.samplesTtlMs,
        maxRows: SAMPLE_VALUES,
        refresh,
      });
      return value;
    } catch (error) {
      if (!(error instanceof WarehouseError)) throw error;
      this.#log.warn({ err: error, model: target.model.name }, 'sample values cannot be read');
      return undefined;
    }
  }
}

function valuesStatement({ name }: Dataset, field: Field, model: Model, { warehouse }: Target): Statement {
  const { dialect } = warehouse;
  const rows = new RowsRenderer(model, dialect);
  const sampled = sql`SELECT ${rows.listed(field)} AS v\n  ${rows.from(singleDatasetTree(name), '  ')}\n  ${dialect.limit(SAMPLED_ROWS)}`;
  return sql`SELECT DISTINCT v FROM (\n  ${sampled}\n) AS sampled\nWHERE v IS NOT NULL\nORDER BY ${dialect.orderBy('v', 'asc')}\n${dialect.limit(SAMPLE_VALUES)}`.print(
    dialect,
  );
}

/** Writes approximate counts over all rows where the engine has them, else exact counts over the sampled rows. */
function distinctStatement(
  { name }: Dataset,
  fields: readonly Field[],
  model: Model,
  { warehouse }: Target,
): Statement {
  const { dialect } = warehouse;
  const rows = new RowsRenderer(model, dialect);
  const from = rows.from(singleDatasetTree(name), '');
  if (dialect.approximateDistinct('1') !== undefined) {
    const counts = fields.map(
      (field, index) => `${dialect.approximateDistinct(rows.listed(field)) ?? ''} AS d${index}`,
    );
    return sql`SELECT ${counts.join(', ')}\n${from}`.print(dialect);
  }
  const inner = fields.map((field, index) => `${rows.listed(field)} AS f${index}`).join(', ');
  const counts = fields.map((_, index) => `COUNT(DISTINCT f${index}) AS d${index}`).join(', ');
  return sql`SELECT ${counts}\nFROM (\n  SELECT ${inner}\n  ${from}\n  ${dialect.limit(SAMPLED_ROWS)}\n) AS sampled`.print(
    dialect,
  );
}

/**
 * Converts a value to a value that a filter accepts; returns none for numbers that JSON lacks and for texts that are too
 * long.
 */
function shown(value: Scalar, field: Field): readonly Exclude<Scalar, bigint>[] {
  if (typeof value === 'bigint') return [String(value)];
  if (typeof value === 'number') {
    return Number.isFinite(value) ? [isSingle(field) ? shortestSingle(value) : value] : [];
  }
  return typeof value === 'string' && value.length > MAX_SAMPLE_LENGTH ? [] : [value];
}
