import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import { joinSql, type SqlPart } from '../../../query-surface/index.ts';
import { sqlFor } from '../../schema/dialect-sql.ts';
import type * as model from '../../schema/model.ts';
import { whereClause } from './clauses.ts';
import { selectedExactly } from './exact-comparison.ts';
import { From, type Scope } from './from-clause.ts';

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

/** Which members are asked for. */
export interface MemberRestriction {
  /** Conditions, combined with AND; `of` gives the SQL of a level's columns. */
  readonly conditions?: ((of: MemberColumns) => readonly SqlPart[]) | undefined;
  /** Rows at most. */
  readonly limit?: number | undefined;
  /** These tables of the hierarchy only, and those between them; `undefined`: all. */
  readonly tables?: readonly [string, ...string[]] | undefined;
  /** Sorted by the name of the last level, so that a limit takes the same ones every time. */
  readonly sorted?: boolean | undefined;
}

/** SQL of the columns that identify and name the members of a level. */
export interface MemberColumns {
  key(level: model.Level): string;
  name(level: model.Level): string;
  caption(level: model.Level): string;
}

/**
 * Returns all members of the levels down to `levels.at(-1)`, one row for each combination. The whole relation is joined, so
 * that a member of a snowflake's upper table that has no row in its lower tables is none, unless `tables` are named.
 */
export function memberStatement(
  dialect: Dialect,
  hierarchy: model.Hierarchy,
  fact: model.Relation,
  levels: readonly model.Level[],
  restriction: MemberRestriction = {},
): MemberStatement {
  const from = new From(dialect);
  const relation = hierarchy.relation ?? fact;
  const [first, ...others] = restriction.tables ?? [];
  const scope = first === undefined ? from.addWhole(relation) : from.addTables(relation, first, undefined, others);
  const selected = new Selected(scope);
  const columns = levels.map((level) => levelColumns(dialect, level, selected));
  const named = namesOf(dialect, scope);
  const conditions = [...from.conditions, ...(restriction.conditions?.(named) ?? [])];
  const last = columns.at(-1);
  const sorted = restriction.sorted === true && last !== undefined;
  const clauses: readonly SqlPart[] = [
    `SELECT DISTINCT ${selectedExactly(dialect, selected.columns, selected.items)} FROM ${from.text}`,
    ...whereClause(conditions),
    ...(sorted ? [`ORDER BY ${dialect.orderBy(dialect.identifier(`c${last.name ?? last.key}`), 'asc')}`] : []),
    ...(restriction.limit === undefined ? [] : [dialect.limit(restriction.limit)]),
  ];
  return { statement: joinSql(clauses, ' ').print(dialect), levels: columns };
}

function namesOf(dialect: Dialect, scope: Scope): MemberColumns {
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

/** Returns whether an expression can be used: a name, caption or order that the schema gives for other engines only is none here: the key stands in. */
function isUsable(expression: model.Expression, dialect: Dialect): boolean {
  return expression.kind === 'column' || sqlFor(expression.sql, dialect) !== undefined;
}

function levelColumns(dialect: Dialect, level: model.Level, selected: Selected): LevelColumns {
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

/** The SELECT list, each expression once. */
class Selected {
  readonly #scope: Scope;
  readonly #items: string[] = [];

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Returns the place of an expression in the list, to which it is added if it is new. */
  add(expression: model.Expression): number {
    const sql = this.#scope.sql(expression);
    const place = this.#items.indexOf(sql);
    return place >= 0 ? place : this.#items.push(sql) - 1;
  }

  get columns(): readonly string[] {
    return this.#items;
  }

  /** The columns with the names by which they are sorted. */
  get items(): readonly string[] {
    return this.#items.map((item, index) => `${item} AS c${index}`);
  }
}
