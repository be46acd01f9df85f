/** Writes subqueries whose rows are grouped by their foreign keys before they are joined; see `plan/keys-first.ts`. */
import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../../router/errors.ts';
import { type SqlPart, sql } from '../../../query-surface/index.ts';
import { AGGREGATIONS, type Aggregation } from '../../model/aggregations.ts';
import type { FactSubquery, Node } from '../nodes/plan.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import { placeOf } from '../plan/keys-first.ts';
import { groupBy } from './group-by.ts';
import { numberedGroups } from './numbered-periods.ts';
import type { RowsRenderer } from './rows.ts';

/** The column with the number of rows of a combination. */
export const FACTS = 'service_facts';

/** Returns the SQL of an aggregate of rows, from its values for their combinations. */
export function ofCombinations(column: string, aggregation: Aggregation, dialect: Dialect): string {
  const { wholeOfParts: whole, result } = AGGREGATIONS[aggregation];
  if (whole === null) throw new InternalError('an aggregate is combined that cannot be combined');
  // A count has the type of a count, also where the sum of counts has a wider one, and is 0 without rows.
  return result === 'count' ? dialect.castToCount(`COALESCE(SUM(${column}), 0)`) : `${whole}(${column})`;
}

export class KeysFirstRenderer {
  readonly #rows: RowsRenderer;
  readonly #dialect: Dialect;

  constructor(rows: RowsRenderer, dialect: Dialect) {
    this.#rows = rows;
    this.#dialect = dialect;
  }

  /** Returns the SQL of an aggregate of a subquery among its computed columns. */
  aggregate(subquery: FactSubquery, index: number, aggregation: Aggregation): string {
    return ofCombinations(this.#column(subquery, `service_a${index}`), aggregation, this.#dialect);
  }

  rowCount(subquery: FactSubquery): string {
    return ofCombinations(this.#column(subquery, FACTS), 'count', this.#dialect);
  }

  /**
   * Returns the SELECT … GROUP BY of a subquery: its groups as `g…` and then `computed`.
   *
   * @param aggregates the SQL of each aggregate of the facts
   */
  select(
    subquery: FactSubquery,
    grouping: readonly FieldInRole[],
    { computed, aggregates }: { readonly computed: readonly string[]; readonly aggregates: readonly string[] },
  ): SqlPart {
    const { tree, scope, where } = subquery;
    const { root, joins } = tree;
    const groups = subquery.groups.slice(0, grouping.length);
    const nodes = subquery.groupNodes;
    const keys = new Set(joins.flatMap(({ parent, parentColumns }) => (isSame(parent, root) ? parentColumns : [])));
    const numbered = numberedGroups(subquery, groups.length, this.#rows);
    const own = groups.flatMap((group, index) => (isSame(nodes[index], root) ? [{ group, index }] : []));
    const combination = [
      ...[...keys].map((column) => {
        return `${this.#rows.column({ dataset: root.dataset, column })} AS ${this.#dialect.identifier(column)}`;
      }),
      ...own.map(({ group, index }) => {
        return `${numbered.get(index)?.number ?? this.#rows.group(group, root)} AS service_g${index}`;
      }),
    ];
    const columns = [
      ...combination,
      ...aggregates.map((aggregate, index) => `${aggregate} AS service_a${index}`),
      ...(computed.some((one) => one.includes(FACTS)) ? [`COUNT(*) AS ${FACTS}`] : []),
    ];
    const ofFacts = {
      tree: { root, bridge: [], joins: [] },
      spread: undefined,
      groupNodes: own.map(() => root),
      where: where.filter((one) => placeOf(one, root) === 'fact'),
    };
    const ownGroups = own.map(({ group }) => group);
    const facts = this.#rows.fromWhere(ofFacts, ownGroups, scope.filters ?? [], '    ');
    const combinations = sql`(\n    SELECT ${columns.join(', ')}\n    ${facts}${groupBy(combination.length, '    ')}\n  ) AS ${this.#rows.alias(root)}`;
    const joined = { ...subquery, where: where.filter((one) => placeOf(one, root) === 'joined') };
    const from = this.#rows.fromWhere(joined, groups, [], '  ', combinations);
    const shown = groups.map((group, index) => {
      const node = nodes[index];
      if (node === undefined) throw new InternalError('a group has no place in its subquery');
      if (!isSame(node, root)) return `${this.#rows.group(group, node)} AS g${index}`;
      const value = this.#column(subquery, `service_g${index}`);
      return `${numbered.get(index)?.firstDay(value) ?? value} AS g${index}`;
    });
    return sql`  SELECT ${[...shown, ...computed].join(', ')}\n  ${from}${groupBy(groups.length)}`;
  }

  #column({ tree }: FactSubquery, name: string): string {
    return `${this.#rows.alias(tree.root)}.${name}`;
  }
}

function isSame(left: Node | undefined, right: Node): boolean {
  return left?.dataset === right.dataset && left.role === right.role;
}
