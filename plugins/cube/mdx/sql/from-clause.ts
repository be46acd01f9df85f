import type { ColumnType, Dialect } from '../../../../router/capabilities/dialect.ts';
import { InternalError, ValidationError } from '../../../../router/errors.ts';
import { sqlFor } from '../../schema/dialect-sql.ts';
import type { ColumnExpression, Expression, InlineRelation, Relation } from '../../schema/model.ts';
import { type LeafRelation, leavesOf } from '../../schema/relation-leaves.ts';
import { equalsExactly, selectedExactly } from './exact-comparison.ts';

/** Writes the FROM clause of one statement. Hierarchies that join the same table by the same keys share one join. */

/** Writes SQL over the tables of a relation, with their aliases in the statement. */
export interface Scope {
  /** Returns the SQL of an expression of the relation. */
  sql(expression: Expression): string;
}

interface Joined {
  readonly alias: string;
  readonly signature: string;
}

interface JoinCondition {
  readonly on: string;
  readonly column: string;
  readonly isOuter: boolean;
}

export class From {
  readonly #dialect: Dialect;
  readonly #joined: Joined[] = [];
  readonly #items: string[] = [];
  readonly #conditions: string[] = [];
  #keepsRows = false;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  get text(): string {
    return this.#items.join(' ');
  }

  /** Uses outer joins from now on, so that no row is lost. Tables without a matching row return null. */
  keepRows(): void {
    this.#keepsRows = true;
  }

  get conditions(): readonly string[] {
    return this.#conditions;
  }

  /** Joins all tables of a relation by its own keys. */
  addWhole(relation: Relation): Scope {
    const [first, ...others] = leavesOf(relation);
    return this.addTables(
      relation,
      first.alias,
      undefined,
      others.map(({ alias }) => alias),
    );
  }

  /**
   * Joins the table `start` of a relation where its column `key` equals `on`, the SQL of a column that the clause
   * already has. Then joins the relation's tables that `needed` names, and the tables between. With `isOuter`, no row
   * is lost: tables without a matching row return null.
   */
  addTables(
    relation: Relation,
    start: string,
    join: { readonly on: string; readonly key: ColumnExpression; readonly isOuter?: boolean } | undefined,
    needed: readonly string[],
  ): Scope {
    const isOuter = join?.isOuter ?? false;
    const leaves = new Map(leavesOf(relation).map((leaf) => [leaf.alias, leaf]));
    const edges = edgesOf(relation);
    const aliases = new Map<string, string>();
    const leafOf = (alias: string): LeafRelation => {
      const leaf = leaves.get(alias);
      if (leaf === undefined) throw new InternalError(`The relation has no table ${alias}.`);
      return leaf;
    };
    aliases.set(
      start,
      this.#join(leafOf(start), join === undefined ? undefined : { on: join.on, column: join.key.name, isOuter }),
    );
    const reach = (alias: string, seen: ReadonlySet<string>): boolean => {
      if (aliases.has(alias)) return true;
      for (const [near, far] of edges) {
        if (near.table !== alias || seen.has(far.table)) continue;
        if (!reach(far.table, new Set([...seen, alias]))) continue;
        const on = this.#column(aliases.get(far.table) ?? far.table, far.name);
        aliases.set(alias, this.#join(leafOf(alias), { on, column: near.name, isOuter }));
        return true;
      }
      return false;
    };
    for (const alias of needed) {
      if (!reach(alias, new Set())) throw new InternalError(`The table ${alias} is not joined to ${start}.`);
    }
    return { sql: (expression) => this.#render(expression, aliases) };
  }

  /**
   * Joins the distinct values that a relation has in some expressions and the column `key`, where `key` equals `on`,
   * the SQL of a column that the clause already has. Rows that are equal in these columns are joined once, so they do
   * not repeat a fact.
   *
   * @returns the SQL of the expressions
   */
  addDistinct(
    relation: Relation,
    { on, key }: { readonly on: string; readonly key: ColumnExpression },
    expressions: readonly Expression[],
  ): readonly string[] {
    const relationAliases = new Set(leavesOf(relation).map(({ alias }) => alias));
    const needed = new Set(expressions.map(({ table }) => table).filter((table) => relationAliases.has(table)));
    const inner = new From(this.#dialect);
    const scope = inner.addTables(relation, key.table, undefined, [...needed]);
    const columns = [key, ...expressions].map(
      (each, index) => `${scope.sql(each)} AS ${this.#dialect.identifier(`d${index}`)}`,
    );
    const where = inner.conditions.length === 0 ? '' : ` WHERE ${inner.conditions.join(' AND ')}`;
    const keys = [key, ...expressions].map((each) => scope.sql(each));
    const rows = `(SELECT DISTINCT ${selectedExactly(this.#dialect, keys, columns)} FROM ${inner.text}${where})`;
    const signature = `${rows} ${on}`;
    let alias = this.#joined.find((candidate) => candidate.signature === signature)?.alias;
    if (alias === undefined) {
      alias = this.#unusedAlias(key.table);
      this.#joined.push({ alias, signature });
      const joined = `${rows} AS ${this.#dialect.identifier(alias)} ON ${equalsExactly(this.#dialect, this.#column(alias, 'd0'), on)}`;
      this.#items.push(`${this.#keepsRows ? 'LEFT JOIN' : 'JOIN'} ${joined}`);
    }
    const from = alias;
    return expressions.map((_, index) => this.#column(from, `d${index + 1}`));
  }

  #unusedAlias(baseName: string): string {
    let alias = baseName;
    for (let count = 2; this.#joined.some((other) => other.alias === alias); count++) alias = `${baseName}_${count}`;
    return alias;
  }

  #column(alias: string, name: string): string {
    return `${this.#dialect.identifier(alias)}.${this.#dialect.identifier(name)}`;
  }

  /** Returns the alias of a table in the statement. Joins the table unless the same join exists. */
  #join(leaf: LeafRelation, condition: JoinCondition | undefined): string {
    const keepsRows = this.#keepsRows || condition?.isOuter === true;
    const signature = `${leaf.kind} ${leaf.kind === 'table' ? `${leaf.schema ?? ''}.${leaf.name}` : leaf.alias} ${
      condition === undefined ? '' : `${condition.column} = ${condition.on}${condition.isOuter ? ' OUTER' : ''}`
    }`;
    const joined = this.#joined.find((candidate) => candidate.signature === signature);
    if (joined !== undefined) return joined.alias;
    const alias = this.#unusedAlias(leaf.alias);
    this.#joined.push({ alias, signature });
    const table = `${this.#leafSql(leaf)} AS ${this.#dialect.identifier(alias)}`;
    const filter =
      leaf.kind === 'table' && leaf.filter !== undefined
        ? this.#authored(leaf.filter, new Map([[leaf.alias, alias]]))
        : undefined;
    if (condition === undefined) this.#items.push(table);
    else {
      const on = equalsExactly(this.#dialect, this.#column(alias, condition.column), condition.on);
      const whole = keepsRows && filter !== undefined ? `${on} AND (${filter})` : on;
      this.#items.push(`${keepsRows ? 'LEFT JOIN' : 'JOIN'} ${table} ON ${whole}`);
    }
    if (filter !== undefined && !(keepsRows && condition !== undefined)) this.#conditions.push(`(${filter})`);
    return alias;
  }

  #leafSql(leaf: LeafRelation): string {
    if (leaf.kind === 'view') return `(${this.#authored(leaf.sql, new Map())})`;
    if (leaf.kind === 'inline') return this.#inline(leaf);
    const name = this.#dialect.identifier(leaf.name);
    return leaf.schema === undefined ? name : `${this.#dialect.identifier(leaf.schema)}.${name}`;
  }

  #inline({ columns, rows }: InlineRelation): string {
    const none: readonly (readonly null[])[] = [columns.map(() => null)];
    const selects = (rows.length === 0 ? none : rows).map((row) => {
      const cells = columns.map(
        ({ name, type }, index) =>
          `${this.#dialect.literal(row[index] ?? null, type)} AS ${this.#dialect.identifier(name)}`,
      );
      return `SELECT ${cells.join(', ')}`;
    });
    return `(${selects.join(' UNION ALL ')}${rows.length === 0 ? ' WHERE 1 = 0' : ''})`;
  }

  #render(expression: Expression, aliases: ReadonlyMap<string, string>): string {
    if (expression.kind === 'column') {
      const column = this.#column(aliases.get(expression.table) ?? expression.table, expression.name);
      return expression.columnType === undefined ? column : this.#typed(column, expression, expression.columnType);
    }
    return `(${this.#authored(expression.sql, aliases)})`;
  }

  /** Writes the text of a column's values, or the instants that they are. */
  #typed(column: string, { name, line }: ColumnExpression, type: ColumnType): string {
    if (type.type === 'timestamptz') return this.#dialect.instantInUtc(column);
    const text = this.#dialect.valueText(column, type);
    if (text !== undefined) return text;
    throw ValidationError.at(
      ['schema'],
      `Line ${line} of the schema names the column ${name}. Its values, of the type ${type.nativeType}, have no text to show.`,
    );
  }

  /** Returns SQL that the schema's author wrote. Replaces quoted table names where the statement uses another alias. */
  #authored(sql: Parameters<typeof sqlFor>[0], aliases: ReadonlyMap<string, string>): string {
    let text = sqlFor(sql, this.#dialect);
    if (text === undefined) {
      throw ValidationError.at(
        ['schema'],
        `Line ${sql.line} of the schema has no SQL for ${this.#dialect.name}, nor a generic one.`,
      );
    }
    for (const [from, to] of aliases) {
      if (from !== to) text = text.replaceAll(`${this.#dialect.identifier(from)}.`, `${this.#dialect.identifier(to)}.`);
    }
    return text;
  }
}

/**
 * Returns whether a join of the relation refers to the column. Such a column is a key of its table: each value is on
 * one row.
 */
export function isReferenced(relation: Relation, column: ColumnExpression): boolean {
  if (relation.kind !== 'join') return false;
  const { left, right, rightKey } = relation;
  const isKey = rightKey.table === column.table && rightKey.name === column.name;
  return isKey || isReferenced(left, column) || isReferenced(right, column);
}

/** Returns the pairs of columns that join the tables of a relation, in both directions. */
function edgesOf(relation: Relation): readonly (readonly [ColumnExpression, ColumnExpression])[] {
  if (relation.kind !== 'join') return [];
  const { leftKey, rightKey } = relation;
  return [[leftKey, rightKey], [rightKey, leftKey], ...edgesOf(relation.left), ...edgesOf(relation.right)];
}
