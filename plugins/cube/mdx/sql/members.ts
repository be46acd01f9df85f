import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import type * as model from '../../schema/model.ts';
import { sqlFor } from '../../schema/sql-for.ts';
import { From, type Scope } from './from.ts';

/** Which columns of a member statement's result hold what. All are indexes. */
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

/**
 * All members of the levels down to `levels.at(-1)`, one row for each combination. The whole relation is joined, so
 * that a member of a snowflake's upper table that has no row in its lower tables is none.
 */
export function memberStatement(
  dialect: Dialect,
  hierarchy: model.Hierarchy,
  fact: model.Relation,
  levels: readonly model.Level[],
): MemberStatement {
  const from = new From(dialect);
  const scope = from.addWhole(hierarchy.relation ?? fact);
  const selected = new Selected(scope);
  const columns = levels.map((level) => levelColumns(dialect, level, selected));
  const where = from.conditions.length === 0 ? '' : ` WHERE ${from.conditions.join(' AND ')}`;
  return {
    statement: { sql: `SELECT DISTINCT ${selected.sql} FROM ${from.text}${where}`, parameters: [] },
    levels: columns,
  };
}

function levelColumns(dialect: Dialect, level: model.Level, selected: Selected): LevelColumns {
  // A name, caption or order that the schema gives for other engines only is none here: the key stands in.
  const usable = (expression: model.Expression) =>
    expression.kind === 'column' || sqlFor(expression.sql, dialect) !== undefined;
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

  add(expression: model.Expression): number {
    const sql = this.#scope.sql(expression);
    const known = this.#items.indexOf(sql);
    return known >= 0 ? known : this.#items.push(sql) - 1;
  }

  get sql(): string {
    return this.#items.map((item, index) => `${item} AS c${index}`).join(', ');
  }
}
