/** Converts the SQL of a cube schema, which has a text for each engine, to ANSI SQL. */

import type { ColumnExpression, Expression, InlineRelation, LeafRelation, SqlText } from '../../cube/index.ts';
import { identifier, parserDialect, rewrite } from '../../semantic/index.ts';

/** The dialects of SQL texts in order of preference: standard SQL first, then texts for any engine. */
const STANDARD = ['ansi', 'postgres', 'postgresql', 'duckdb', 'hsqldb', 'generic'];

export class SchemaSql {
  readonly #preferred: readonly string[];

  /**
   * Makes a reader of the schema's SQL.
   *
   * @param dialect the preferred engine, by its name in the schema
   */
  constructor(dialect: string | undefined) {
    this.#preferred = dialect === undefined ? STANDARD : [dialect.toLowerCase(), ...STANDARD];
  }

  /** Returns the preferred text and its dialect; `undefined` where no text can be read. */
  text(sql: SqlText): { readonly text: string; readonly dialect: string } | undefined {
    const dialects = [...this.#preferred, ...sql.variants.map(({ dialect }) => dialect)];
    for (const name of dialects) {
      const variant = sql.variants.find(({ dialect }) => dialect === name);
      const dialect = parserDialect(name) ?? (STANDARD.includes(name) ? 'generic' : undefined);
      if (variant === undefined || dialect === undefined) continue;
      const text = variant.parts.map((part) => (typeof part === 'string' ? part : quoted(part))).join('');
      return { text: text.trim(), dialect };
    }
    return undefined;
  }

  /**
   * Writes the expression in ANSI SQL; `column` writes each column. `undefined` where the schema has no readable text.
   *
   * @param table the alias that bare names belong to
   * @throws ExpressionError
   */
  expression(expression: Expression, column: (table: string, name: string) => string): string | undefined {
    if (expression.kind === 'column') return column(expression.table, expression.name);
    const chosen = this.text(expression.sql);
    if (chosen === undefined) return undefined;
    return rewrite(chosen.text, chosen.dialect, ({ qualifier, name }) => column(qualifier ?? expression.table, name));
  }

  /** Writes the source of a dataset: a table, or a query where the schema has a view, a filter or rows. */
  source(leaf: LeafRelation): string | undefined {
    switch (leaf.kind) {
      case 'view':
        return this.text(leaf.sql)?.text;
      case 'inline':
        return inlineRows(leaf);
      case 'table': {
        const table =
          leaf.schema === undefined ? identifier(leaf.name) : `${identifier(leaf.schema)}.${identifier(leaf.name)}`;
        if (leaf.filter === undefined) return table;
        const condition = this.text(leaf.filter);
        return condition === undefined
          ? undefined
          : `SELECT * FROM ${table} AS ${identifier(leaf.alias)} WHERE ${condition.text}`;
      }
    }
  }
}

function quoted({ table, name }: ColumnExpression): string {
  return `"${table.replaceAll('"', '""')}"."${name.replaceAll('"', '""')}"`;
}

function inlineRows({ columns, rows }: InlineRelation): string {
  const select = (row: readonly (string | null)[]) =>
    `SELECT ${columns.map(({ name, type }, index) => `${literal(row[index] ?? null, type)} AS ${identifier(name)}`).join(', ')}`;
  if (rows.length === 0) return `${select([])} WHERE 1 = 0`;
  return rows.map(select).join(' UNION ALL ');
}

function literal(value: string | null, type: InlineRelation['columns'][number]['type']): string {
  if (value === null) return 'NULL';
  const text = `'${value.replaceAll("'", "''")}'`;
  switch (type) {
    case 'integer':
    case 'float':
      return value;
    case 'boolean':
      return value.toUpperCase();
    case 'date':
    case 'time':
    case 'timestamp':
      return `${type.toUpperCase()} ${text}`;
    case 'binary':
      return `X'${Buffer.from(value, 'base64').toString('hex')}'`;
    case 'text':
      return text;
  }
}
