/** SELECT of one subquery: the rows of one dataset, each once for a group, and what is aggregated of them. */
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../router/errors.ts';
import { type ColumnLeaf, leavesOf, renderTemplate, type Taken } from '../model/template.ts';
import type { FactSubquery } from './plan.ts';
import type { RowsRenderer } from './render-rows.ts';
import type { FieldInRole } from './resolved.ts';

export class SubqueryRenderer {
  readonly #rows: RowsRenderer;
  readonly #dialect: Dialect;

  constructor(rows: RowsRenderer, dialect: Dialect) {
    this.#rows = rows;
    this.#dialect = dialect;
  }

  /** Returns how many rows a group has, as it is written among what is computed of a subquery. */
  rowCount(_subquery: FactSubquery): string {
    return 'COUNT(*)';
  }

  /** Returns an aggregate of a subquery as it is written among those that are computed of it. */
  aggregate(subquery: FactSubquery, index: number): string {
    const found = subquery.aggregates[index];
    if (found === undefined) throw new InternalError('a subquery lacks an aggregate');
    const { call, aggregation } = found;
    const column = this.#filling(subquery);
    const isReplaced = aggregation !== undefined && call.argument !== undefined;
    const sql = isReplaced
      ? `${aggregation}(${renderTemplate(call.argument, this.#dialect, { column })})`
      : renderTemplate(call.call, this.#dialect, { column });
    const kind = isReplaced ? aggregation.toLowerCase() : call.aggregation;
    return INEXACT.has(kind) ? this.#dialect.castForDivision(sql) : sql;
  }

  /** Returns the SELECT … GROUP BY of a subquery: its groups as `g…` and then `computed`. */
  select(subquery: FactSubquery, grouping: readonly FieldInRole[], computed: readonly string[]): string {
    const groups = grouping.map((_, index) => {
      const [group, node] = [subquery.groups[index], subquery.groupNodes[index]];
      if (group === undefined || node === undefined) throw new InternalError('a group has no place in its subquery');
      return `${this.#rows.group(group, node)} AS g${index}`;
    });
    const numbers = groups.map((_, index) => index + 1).join(', ');
    const { taken } = subquery.scope;
    if (subquery.distinct === undefined && taken === undefined) {
      const distinct = computed.length === 0 ? 'DISTINCT ' : '';
      const grouping = computed.length === 0 || groups.length === 0 ? '' : `\n  GROUP BY ${numbers}`;
      return `  SELECT ${distinct}${[...groups, ...computed].join(', ')}\n  ${this.#fromWhere(subquery, '  ')}${grouping}`;
    }
    const isDistinct = subquery.distinct !== undefined;
    const columns = [
      ...groups,
      ...(subquery.distinct?.key ?? []).map((column, index) => {
        return `${this.#rows.column({ dataset: subquery.base, column })} AS k${index}`;
      }),
      ...readsOf(subquery).map((leaf, index) => `${this.#rows.column(leaf)} AS c${index}`),
      ...(taken === undefined ? [] : this.#taken(taken, subquery, grouping)),
    ];
    const outer = grouping.map((_, index) => `fact_rows.g${index} AS g${index}`);
    return [
      `  SELECT ${[...outer, ...computed].join(', ')}`,
      `  FROM (\n    SELECT ${isDistinct ? 'DISTINCT ' : ''}${columns.join(', ')}\n    ${this.#fromWhere(subquery, '    ')}\n  ) AS fact_rows`,
      ...(taken === undefined ? [] : ['  WHERE fact_rows.place_in_time = 1 AND fact_rows.taken_at IS NOT NULL']),
      ...(groups.length === 0 ? [] : [`  GROUP BY ${numbers}`]),
    ].join('\n');
  }

  /** The date of a row, and its place among the rows of its group by that: rows of one date share theirs. */
  #taken({ take, by, per }: Taken, { groups, groupNodes }: FactSubquery, grouping: readonly FieldInRole[]) {
    const moment = this.#rows.expression(by);
    const within = [
      ...grouping.flatMap((_, index) => {
        const [group, node] = [groups[index], groupNodes[index]];
        return group === undefined || node === undefined ? [] : [this.#rows.group(group, node)];
      }),
      ...per.map((each) => this.#rows.expression(each)),
    ];
    const partition = within.length === 0 ? '' : `PARTITION BY ${within.join(', ')} `;
    const order = this.#dialect.orderBy(moment, take === 'last' ? 'desc' : 'asc');
    return [`${moment} AS taken_at`, `RANK() OVER (${partition}ORDER BY ${order}) AS place_in_time`];
  }

  #fromWhere({ tree, where, scope }: FactSubquery, indent: string): string {
    const own = (scope.filters ?? []).map((each) => `(${this.#rows.expression(each)})`);
    return `${this.#rows.from(tree, indent)}${this.#rows.where(tree.root, where, indent, own)}`;
  }

  /** How a leaf's columns are named where its subquery is aggregated. */
  #filling(subquery: FactSubquery): (leaf: ColumnLeaf) => string {
    if (subquery.distinct === undefined && subquery.scope.taken === undefined) return (leaf) => this.#rows.column(leaf);
    const reads = readsOf(subquery);
    return (leaf) => {
      const index = reads.findIndex(({ dataset, column }) => dataset === leaf.dataset && column === leaf.column);
      if (index < 0) throw new InternalError('an aggregate reads a column that its subquery does not carry');
      return `fact_rows.c${index}`;
    };
  }
}

/** The columns that the aggregates of a subquery read, each once. */
function readsOf({ distinct, aggregates }: FactSubquery): readonly ColumnLeaf[] {
  if (distinct !== undefined) return distinct.reads;
  const leaves = aggregates.flatMap(({ call }) => leavesOf(call.call));
  return [...new Map(leaves.map((leaf) => [JSON.stringify([leaf.dataset, leaf.column]), leaf])).values()];
}

/**
 * Means are rounded by nature. Engines round them to different types (PostgreSQL: sixteen digits of NUMERIC, DuckDB:
 * a double); as a double they are the same number everywhere, and none is mistaken for an exact one.
 */
const INEXACT: ReadonlySet<string> = new Set(['avg', 'stddev', 'stddev_pop', 'variance', 'variance_pop']);
