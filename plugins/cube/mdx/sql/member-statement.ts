import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../../router/errors.ts';
import { joinSql, type Sql, type SqlPart, sql } from '../../../query-surface/index.ts';
import { sqlFor } from '../../schema/dialect-sql.ts';
import type * as model from '../../schema/model.ts';
import { aliasesOf } from '../../schema/relation-leaves.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { TupleSet } from '../metadata/member.ts';
import { whereClause } from './clauses.ts';
import { selectedExactly } from './exact-comparison.ts';
import { FactFrom } from './fact-from-clause.ts';
import { From, type Scope } from './from-clause.ts';
import { inAnyOf } from './tuple-conditions.ts';

/** Indexes of the columns in the result of a member statement. */
export interface LevelColumns {
  readonly level: model.Level;
  readonly key: number;
  readonly name: number | undefined;
  readonly caption: number | undefined;
  readonly ordinals: readonly { readonly column: number; readonly descending: boolean }[];
  readonly parent: number | undefined;
  readonly properties: readonly { readonly name: string; readonly column: number }[];
}

export interface MemberStatement {
  readonly statement: Statement;
  readonly levels: readonly LevelColumns[];
}

/** Restricts the members that a statement reads. */
export interface MemberRestriction {
  /** Conditions that are combined with AND. The argument gives the SQL of a level's columns. */
  readonly conditions?: ((of: MemberColumns) => readonly SqlPart[]) | undefined;
  /** The maximum number of rows. */
  readonly limit?: number | undefined;
  /** Reads only these tables of the hierarchy and the tables between them. All tables if absent. */
  readonly tables?: readonly [string, ...string[]] | undefined;
  /** Sorts by the name of the last level, so that a limit always keeps the same members. */
  readonly sorted?: boolean | undefined;
  /** Leaves members repeated that several rows have. The warehouse can then stop at the limit, without a comparison of all rows. */
  readonly repeats?: boolean | undefined;
}

/** The facts that a caller sees: each is in at least one tuple of every set. */
export interface VisibleFacts {
  readonly group: FactGroup;
  readonly rows: readonly TupleSet[];
}

/** SQL of the columns that identify and name the members of a level. */
export interface MemberColumns {
  key(level: model.Level): string;
  name(level: model.Level): string;
  caption(level: model.Level): string;
}

/**
 * Writes the statement that reads all members of the levels, one row for each combination. Unless `tables` are named,
 * it joins the whole relation: a member of a snowflake's upper table without rows in the lower tables is then left out.
 *
 * @param visible the facts whose members a hierarchy in the facts' own table has; all facts if absent
 */
export function memberStatement(
  dialect: Dialect,
  hierarchy: model.Hierarchy,
  fact: model.Relation,
  levels: readonly model.Level[],
  restriction: MemberRestriction = {},
  visible?: VisibleFacts,
): MemberStatement {
  const { relation, primaryKey, unmatched } = hierarchy;
  const facts = visible === undefined ? undefined : new FactFrom(dialect, visible.group);
  const from = facts?.from ?? new From(dialect);
  const [first, ...others] = restriction.tables ?? [];
  // Facts keep their rows where a table behind the first one has no row, and so do the members.
  const isOuter = unmatched !== undefined && first === undefined && primaryKey !== undefined;
  if (isOuter) from.keepRows();
  const scope =
    first !== undefined
      ? from.addTables(relation, first, undefined, others)
      : isOuter
        ? from.addTables(relation, primaryKey.table, undefined, aliasesOf(relation))
        : (facts?.fact ?? from.addWhole(relation ?? fact));
  const where =
    visible === undefined || facts === undefined
      ? []
      : visible.rows.flatMap((rows) => inAnyOf(rows, facts, visible.group) ?? []);
  const part = memberSelect(dialect, { from, scope, levels, restriction, where });
  const selects = [part.select];
  if (isOuter && unmatched !== undefined) selects.push(unmatchedSelect(dialect, hierarchy, levels, restriction));
  const last = part.columns.at(-1);
  const sorted = restriction.sorted === true && last !== undefined;
  const all = selects.length === 1 ? part.select : sql`SELECT * FROM (${joinSql(selects, ' UNION ALL ')}) AS members`;
  const clauses: readonly SqlPart[] = [
    all,
    ...(sorted ? [`ORDER BY ${dialect.orderBy(columnName(dialect, last.name ?? last.key), 'asc')}`] : []),
    ...(restriction.limit === undefined ? [] : [dialect.limit(restriction.limit)]),
  ];
  return { statement: joinSql(clauses, ' ').print(dialect), levels: part.columns };
}

/** Returns the alias of a column. The definition is quoted, too: Trino treats `c0` and `"c0"` in a SELECT DISTINCT as different expressions. */
const columnName = (dialect: Dialect, column: number): string => dialect.identifier(`c${column}`);

interface MemberSource {
  readonly from: From;
  readonly scope: Scope;
  readonly levels: readonly model.Level[];
  readonly restriction: MemberRestriction;
  /** Conditions beside those of the restriction. */
  readonly where?: readonly SqlPart[];
}

function memberSelect(dialect: Dialect, { from, scope, levels, restriction, where = [] }: MemberSource) {
  const selected = new SelectList(scope);
  const columns = levels.map((level) => levelColumns(dialect, level, selected));
  const memberColumns = memberColumnsOf(dialect, scope);
  const conditions = [...from.conditions, ...where, ...(restriction.conditions?.(memberColumns) ?? [])];
  const items = selected.items((column) => columnName(dialect, column));
  const select = joinSql(
    [
      `SELECT ${restriction.repeats === true ? '' : 'DISTINCT '}${selectedExactly(dialect, selected.columns, items)} FROM ${from.text}`,
      ...whereClause(conditions),
    ],
    ' ',
  );
  return { select, columns };
}

/** Returns the member of facts without a row in the hierarchy's table: one row of nulls, or none. */
function unmatchedSelect(
  dialect: Dialect,
  { relation, primaryKey, unmatched }: model.Hierarchy,
  levels: readonly model.Level[],
  restriction: MemberRestriction,
): Sql {
  if (unmatched === undefined || primaryKey === undefined) throw new InternalError('The hierarchy keeps no facts.');
  const from = new From(dialect);
  const on = from.addWhole(unmatched.fact).sql(unmatched.column);
  const scope = from.addTables(relation, primaryKey.table, { on, key: primaryKey, isOuter: true }, aliasesOf(relation));
  return memberSelect(dialect, { from, scope, levels, restriction, where: [`${scope.sql(primaryKey)} IS NULL`] })
    .select;
}

function memberColumnsOf(dialect: Dialect, scope: Scope): MemberColumns {
  const first = (...expressions: readonly (model.Expression | undefined)[]): string => {
    const usable = expressions.find((each) => each !== undefined && isUsable(each, dialect));
    return usable === undefined ? 'NULL' : scope.sql(usable);
  };
  return {
    key: (level) => scope.sql(level.key),
    name: (level) => first(level.nameExpression, level.key),
    caption: (level) => first(level.captionExpression, level.nameExpression, level.key),
  };
}

/**
 * Returns whether the dialect has SQL for the expression. A name, caption or order that the schema writes only for
 * other engines is ignored, and the key replaces it.
 */
function isUsable(expression: model.Expression, dialect: Dialect): boolean {
  return expression.kind === 'column' || sqlFor(expression.sql, dialect) !== undefined;
}

function levelColumns(dialect: Dialect, level: model.Level, selected: SelectList): LevelColumns {
  const usable = (expression: model.Expression) => isUsable(expression, dialect);
  const optional = (expression: model.Expression | undefined) =>
    expression === undefined || !usable(expression) ? undefined : selected.add(expression);
  return {
    level,
    key: selected.add(level.key),
    name: optional(level.nameExpression),
    caption: optional(level.captionExpression),
    ordinals: level.ordinals
      .filter(({ expression }) => usable(expression))
      .map(({ expression, descending }) => ({ column: selected.add(expression), descending })),
    parent: optional(level.parent?.expression),
    properties: level.properties.map(({ name, expression }) => ({ name, column: selected.add(expression) })),
  };
}

/** A SELECT list that has each expression once. */
class SelectList {
  readonly #scope: Scope;
  readonly #items: string[] = [];

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Returns the index of an expression in the list, and adds the expression if it is new. */
  add(expression: model.Expression): number {
    const sql = this.#scope.sql(expression);
    const place = this.#items.indexOf(sql);
    return place >= 0 ? place : this.#items.push(sql) - 1;
  }

  get columns(): readonly string[] {
    return this.#items;
  }

  /** Returns the items with the aliases that ORDER BY uses. `nameOf` returns the alias of an index. */
  items(nameOf: (column: number) => string): readonly string[] {
    return this.#items.map((item, index) => `${item} AS ${nameOf(index)}`);
  }
}
