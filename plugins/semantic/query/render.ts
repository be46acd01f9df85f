/**
 * Plan -> one SQL statement.
 *
 * Columns have names of our own on the way (`g0` a group, `a0` an aggregate, `m0` a metric), so that no name of a
 * model can be taken for another; only the last SELECT names them as the answer does.
 */
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../router/errors.ts';
import type { Model } from '../model/model.ts';
import { type ColumnLeaf, renderTemplate } from '../model/template.ts';
import { Bindings } from './bindings.ts';
import type { Block, Leaf, MetricColumn, Plan } from './plan.ts';
import { RowsRenderer } from './render-rows.ts';
import { keyOf } from './resolve.ts';

export function render(plan: Plan, model: Model, dialect: Dialect): Statement {
  const bindings = new Bindings(dialect);
  const renderer = new Renderer(plan, new RowsRenderer(model, dialect, bindings), dialect);
  const sql = renderer.statement();
  return { sql, parameters: bindings.parameters };
}

class Renderer {
  readonly #plan: Plan;
  readonly #rows: RowsRenderer;
  readonly #dialect: Dialect;

  constructor(plan: Plan, rows: RowsRenderer, dialect: Dialect) {
    this.#plan = plan;
    this.#rows = rows;
    this.#dialect = dialect;
  }

  statement(): string {
    const { groups, metrics, blocks, limit } = this.#plan;
    const [only, ...others] = blocks;
    if (only === undefined) throw new InternalError('a plan has no block');
    const columns = [
      ...groups.map((field, index) => `answer.g${index} AS ${this.#dialect.identifier(keyOf(field))}`),
      ...metrics.map(({ metric }, index) => `answer.m${index} AS ${this.#dialect.identifier(metric.name)}`),
    ];
    const [before, rows] = others.length === 0 ? ['', this.#oneBlock(only)] : this.#severalBlocks(blocks);
    const order = this.#order();
    return [
      `${before}SELECT ${columns.join(', ')}`,
      `FROM (\n${rows}\n) AS answer`,
      ...(order.length === 0 ? [] : [`ORDER BY ${order.join(', ')}`]),
      this.#dialect.limit(limit),
    ].join('\n');
  }

  /** All metrics come from one dataset: they are computed where its rows are grouped. */
  #oneBlock(block: Block): string {
    const metrics = this.#plan.metrics.map((column, index) => {
      const expression = this.#metric(column, (leaf, filling) => this.#aggregate(leaf, filling), block);
      return `${expression} AS m${index}`;
    });
    return this.#block(block, metrics);
  }

  /**
   * Each dataset's rows are grouped by themselves; then the groups are laid on top of each other. Grouping treats
   * nulls as equal, so no join of keys can lose or double a group. In a row of one block the others' aggregates are
   * null: a typed one, drawn from the block itself, because engines disagree on the type of a bare NULL.
   */
  #severalBlocks(blocks: readonly Block[]): readonly [before: string, rows: string] {
    const common = blocks.map((block, index) => {
      const leaves = block.leaves.map((leaf, at) => `${this.#aggregate(leaf, this.#filling(block))} AS a${at}`);
      return `${blockName(index)} AS (\n${this.#block(block, leaves)}\n)`;
    });
    const groups = this.#plan.groups.map((_, index) => `g${index}`);
    const aggregates = blocks.flatMap(({ leaves }, block) =>
      leaves.map((_, leaf) => ({ block, leaf, name: `b${block}_a${leaf}` })),
    );
    const layers = blocks.map((_, index) => {
      const columns = aggregates.map(({ block, leaf, name }) =>
        block === index ? `a${leaf} AS ${name}` : `(SELECT a${leaf} FROM ${blockName(block)} WHERE 1 = 0) AS ${name}`,
      );
      return `    SELECT ${[...groups, ...columns].join(', ')} FROM ${blockName(index)}`;
    });
    const metrics = this.#plan.metrics.map((column, index) => {
      let at = 0;
      const expression = renderTemplate(column.metric.expression, this.#dialect, {
        column: columnOutsideAggregate,
        aggregate: () => {
          const place = column.leaves[at];
          at += 1;
          if (place === undefined) throw new InternalError('a metric has more aggregates than its plan');
          return `MAX(b${place.block}_a${place.leaf})`;
        },
      });
      return `${expression} AS m${index}`;
    });
    const rows = [
      `  SELECT ${[...groups, ...metrics].join(', ')}`,
      `  FROM (\n${layers.join('\n    UNION ALL\n')}\n  ) AS blocks`,
      ...(groups.length === 0 ? [] : [`  GROUP BY ${groups.join(', ')}`]),
    ];
    return [`WITH ${common.join(',\n')}\n`, rows.join('\n')];
  }

  /** SELECT … GROUP BY of one block: its groups as `g…` and then `computed`. */
  #block(block: Block, computed: readonly string[]): string {
    const groups = this.#plan.groups.map((field, index) => `${this.#rows.field(field)} AS g${index}`);
    const numbers = groups.map((_, index) => index + 1).join(', ');
    if (block.distinct === undefined) {
      const distinct = computed.length === 0 ? 'DISTINCT ' : '';
      const grouping = computed.length === 0 || groups.length === 0 ? '' : `\n  GROUP BY ${numbers}`;
      return `  SELECT ${distinct}${[...groups, ...computed].join(', ')}\n  ${this.#fromWhere(block, '  ')}${grouping}`;
    }
    const { key, reads } = block.distinct;
    const columns = [
      ...groups,
      ...key.map((column, index) => `${this.#rows.column({ dataset: block.base, column })} AS k${index}`),
      ...reads.map((leaf, index) => `${this.#rows.column(leaf)} AS c${index}`),
    ];
    const outer = this.#plan.groups.map((_, index) => `fact_rows.g${index} AS g${index}`);
    return [
      `  SELECT ${[...outer, ...computed].join(', ')}`,
      `  FROM (\n    SELECT DISTINCT ${columns.join(', ')}\n    ${this.#fromWhere(block, '    ')}\n  ) AS fact_rows`,
      ...(groups.length === 0 ? [] : [`  GROUP BY ${numbers}`]),
    ].join('\n');
  }

  #fromWhere({ base, tree, filters, semiJoins }: Block, indent: string): string {
    return `${this.#rows.from(tree, indent)}${this.#rows.where(base, filters, semiJoins, indent)}`;
  }

  /** How a leaf's columns are named where its block is aggregated. */
  #filling({ distinct }: Block): (leaf: ColumnLeaf) => string {
    if (distinct === undefined) return (leaf) => this.#rows.column(leaf);
    return (leaf) => {
      const index = distinct.reads.findIndex(
        ({ dataset, column }) => dataset === leaf.dataset && column === leaf.column,
      );
      if (index < 0) throw new InternalError('an aggregate reads a column that its block does not carry');
      return `fact_rows.c${index}`;
    };
  }

  #metric(
    column: MetricColumn,
    aggregate: (leaf: Leaf, filling: (leaf: ColumnLeaf) => string) => string,
    block: Block,
  ): string {
    const filling = this.#filling(block);
    return renderTemplate(column.metric.expression, this.#dialect, {
      column: columnOutsideAggregate,
      aggregate: (call) => aggregate({ call, aggregation: column.aggregation }, filling),
    });
  }

  #aggregate({ call, aggregation }: Leaf, column: (leaf: ColumnLeaf) => string): string {
    const isReplaced = aggregation !== undefined && call.argument !== undefined;
    const sql = isReplaced
      ? `${aggregation}(${renderTemplate(call.argument, this.#dialect, { column })})`
      : renderTemplate(call.call, this.#dialect, { column });
    const kind = isReplaced ? aggregation.toLowerCase() : call.aggregation;
    return INEXACT.has(kind) ? this.#dialect.castForDivision(sql) : sql;
  }

  /** A masked row has no rank: its metrics sort as null, whatever they are. */
  #order(): readonly string[] {
    const { order, suppression } = this.#plan;
    const masked = suppression?.counts.map((index) => `answer.m${index} < ${suppression.threshold}`).join(' OR ');
    return order.map(({ by, index, direction }) => {
      if (by === 'group') return this.#dialect.orderBy(`answer.g${index}`, direction);
      const value =
        masked === undefined ? `answer.m${index}` : `CASE WHEN ${masked} THEN NULL ELSE answer.m${index} END`;
      return this.#dialect.orderBy(value, direction);
    });
  }
}

/**
 * Means are rounded by nature. Engines round them to different types (PostgreSQL: sixteen digits of NUMERIC, DuckDB:
 * a double); as a double they are the same number everywhere, and none is mistaken for an exact one.
 */
const INEXACT: ReadonlySet<string> = new Set(['avg', 'stddev', 'stddev_pop', 'variance', 'variance_pop']);

function blockName(index: number): string {
  return `service_block_${index}`;
}

function columnOutsideAggregate(): never {
  throw new InternalError('a metric reads a column outside an aggregate');
}
