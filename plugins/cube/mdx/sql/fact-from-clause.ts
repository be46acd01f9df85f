import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../../router/errors.ts';
import { joinSql, type Sql, sql } from '../../../query-surface/index.ts';
import type * as model from '../../schema/model.ts';
import { aliasesOf, leavesOf } from '../../schema/relation-leaves.ts';
import type { FactGroup, HierarchyTables } from '../metadata/fact-group.ts';
import type { Grain, Hierarchy } from '../metadata/member.ts';
import type { AggregateSource } from './aggregate-source.ts';
import { From, isReferenced, type Scope } from './from-clause.ts';
import { isColumn } from './same-column.ts';

/**
 * The FROM clause of a fact table, or of an aggregate table of the facts, with the dimension tables that a statement needs.
 */
export class FactFrom {
  readonly from: From;
  readonly fact: Scope;
  readonly dialect: Dialect;
  /** The aggregate table that is read in place of the facts. */
  readonly aggregate: AggregateSource | undefined;
  readonly #group: FactGroup;
  readonly #dialect: Dialect;

  constructor(dialect: Dialect, group: FactGroup, aggregate?: AggregateSource) {
    this.dialect = dialect;
    this.aggregate = aggregate;
    this.#group = group;
    this.#dialect = dialect;
    this.from = new From(dialect);
    this.fact = this.from.addWhole(aggregate?.table.table ?? group.model.fact);
  }

  /** Joins the tables that the keys of `level.keyLevels` need, and returns the SQL of the keys. */
  keys({ level, data }: Grain): readonly string[] {
    const { hierarchy } = level;
    const parentChild = level.model?.parent;
    if (parentChild?.closure !== undefined && !data) {
      return [this.#closureKey(hierarchy, parentChild.closure)];
    }
    const expressions = level.keyLevels.map((each) => each.model?.key).filter((key) => key !== undefined);
    return this.expressions(hierarchy, expressions);
  }

  /**
   * Returns the SQL of columns of a hierarchy's tables. Joins nothing if the only requested column is the key that the
   * facts have.
   */
  expressions(hierarchy: Hierarchy, expressions: readonly model.Expression[]): readonly string[] {
    if (hierarchy.model === undefined || !this.#group.reaches(hierarchy))
      throw new InternalError(`${hierarchy.uniqueName} is not reached.`);
    const columns = this.aggregate?.columnsOf(hierarchy, expressions);
    if (columns !== undefined) return columns.map((column) => this.fact.sql(column));
    const tables = this.#tablesOf(hierarchy);
    if (tables === undefined) return expressions.map((expression) => this.fact.sql(expression));
    const { link, relation, primaryKey } = tables;
    // A key without a row in the table is no member: the joined table shows which are.
    const isOuter = hierarchy.model.unmatched !== undefined;
    const key = link.kind === 'key' && link.level !== undefined ? levelKeyOf(hierarchy, link.level) : primaryKey;
    const on = this.#foreignKey(hierarchy, link);
    const countsPerRow = link.kind === 'key' && link.countsPerRow;
    if (link.kind === 'key' && !countsPerRow && !isOuter && expressions.every((each) => isColumn(each, key)))
      return expressions.map(() => on);
    // A level's key can be on several rows of its table. Joining those rows would count a fact several times.
    const isUnique = key === primaryKey || (key.table !== primaryKey.table && isReferenced(relation, key));
    if (!isUnique && !countsPerRow) return this.from.addDistinct(relation, { on, key }, expressions);
    const relationAliases = new Set(aliasesOf(relation));
    const needed = new Set(expressions.map(({ table }) => table).filter((table) => relationAliases.has(table)));
    const scope = this.from.addTables(relation, key.table, { on, key, isOuter }, [...needed]);
    return expressions.map((expression) => scope.sql(expression));
  }

  /** Returns the tables of a hierarchy, and how the table that is read joins them. */
  #tablesOf(hierarchy: Hierarchy): HierarchyTables | undefined {
    const tables = this.#group.tablesOf(hierarchy);
    if (this.aggregate === undefined) return tables;
    const link = this.aggregate.linkTo(hierarchy);
    if (tables === undefined || link === undefined)
      throw new InternalError(
        `The aggregate table ${this.aggregate.table.table.name} does not reach ${hierarchy.uniqueName}.`,
      );
    return { ...tables, link };
  }

  /**
   * Returns the SQL of the foreign key that joins the hierarchy: a column of the facts or of another dimension's
   * tables.
   */
  #foreignKey(hierarchy: Hierarchy, link: model.DimensionLink): string {
    if (link.kind === 'fact') throw new InternalError(`${hierarchy.uniqueName} has no key.`);
    if (link.kind === 'key') return this.fact.sql(link.column);
    const via = this.#group.hierarchies.find(({ dimension }) => dimension.name === link.via);
    const [foreignKey] = via === undefined ? [] : this.expressions(via, [link.column]);
    if (foreignKey === undefined) throw new InternalError(`${link.via} is not reached.`);
    return foreignKey;
  }

  /**
   * Returns the condition for facts of members below other members. `isOneOf` restricts the column with the keys of
   * those members.
   */
  isBelow(hierarchy: Hierarchy, closure: model.Closure, isOneOf: (column: string) => Sql): Sql {
    const factKey = this.#memberKey(hierarchy);
    const from = new From(this.#dialect);
    const scope = from.addWhole(closure.table);
    const conditions = [...from.conditions, isOneOf(scope.sql(closure.parentColumn))];
    return sql`${factKey} IN (SELECT ${scope.sql(closure.childColumn)} FROM ${from.text} WHERE ${joinSql(conditions, ' AND ')})`;
  }

  #memberKey(hierarchy: Hierarchy): string {
    const [level] = hierarchy.model?.levels ?? [];
    const [keySql] = level === undefined ? [] : this.expressions(hierarchy, [level.key]);
    if (keySql === undefined) throw new InternalError(`${hierarchy.uniqueName} has no key.`);
    return keySql;
  }

  #closureKey(hierarchy: Hierarchy, closure: model.Closure): string {
    const link = this.#group.links[hierarchy.ordinal];
    if (link === undefined) throw new InternalError(`${hierarchy.uniqueName} is not reached.`);
    const factKey = this.#memberKey(hierarchy);
    const [leaf] = leavesOf(closure.table);
    const scope = this.from.addTables(closure.table, leaf.alias, { on: factKey, key: closure.childColumn }, []);
    return scope.sql(closure.parentColumn);
  }
}

function levelKeyOf({ levels }: Hierarchy, name: string): model.ColumnExpression {
  const key = levels.find((level) => level.name === name)?.model?.key;
  if (key?.kind !== 'column') throw new InternalError(`The level ${name} has no key column to join.`);
  return key;
}
