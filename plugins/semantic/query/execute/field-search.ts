/** Searches the values of one field for a text. An agent does so when a schema's samples lack the value that it needs. */

import type { Scope } from '../../../../router/capabilities/identity.ts';
import type { Parameter, Scalar, Statement } from '../../../../router/capabilities/warehouse.ts';
import { joinSql, type SqlPart, sql, writeSql } from '../../../query-surface/index.ts';
import type { Field, Model } from '../../model/model.ts';
import type { FieldItem } from '../../schemas.ts';
import { singleDatasetTree } from '../joins/join-tree.ts';
import { castOf, incomparableReason, isSingle, shortestSingle } from '../nodes/comparable-values.ts';
import { literal } from '../nodes/literals.ts';
import type { Target } from '../nodes/query-target.ts';
import { RowsRenderer } from '../render/rows.ts';
import { applyAccessPolicy } from '../request/access-policy.ts';
import { resolveField } from '../resolve/resolve-request.ts';

export interface SearchedField {
  readonly dataset: string;
  readonly field: string;
  readonly statement: Statement;
  readonly searchedField: Field;
}

export interface Search {
  readonly text: string | undefined;
  readonly limit: number;
  /** True to count the rows of each value, in a second column. */
  readonly isCounted?: boolean;
}

/**
 * Compiles a search for the distinct values of a field, in their order, whose text contains `text` in any letter case; for
 * all values without `text`. It reads only rows that the caller may see, and finds only fields that the caller may use.
 *
 * Values are not masked for being few: k-anonymity masks metrics of small groups, and a query that groups by the field shows
 * the same values. A field with values about people is marked as personal data and is then not found here.
 */
export function compileSearch(
  item: FieldItem,
  { text, limit, isCounted = false }: Search,
  target: Target,
  scope: Scope,
): SearchedField {
  const model = applyAccessPolicy(scope, target.model);
  const field = resolveField(item, model);
  const { dialect } = target.warehouse;
  const rows = new RowsRenderer(model, dialect);
  const value = rows.listed(field);
  const from = rows.from(singleDatasetTree(field.dataset), '  ');
  const shown = field.type === 'float' ? dialect.shownNumber('v') : dialect.castToText('v');
  const needles = text === undefined || text === '' ? [] : [...new Set([text, spelledAsStored(text, field)])];
  const tests = needles.map(
    (needle): SqlPart =>
      writeSql(({ placeholder }) => dialect.containsIgnoringCase(shown, placeholder({ type: 'text', value: needle }))),
  );
  const exact = text === undefined || text === '' ? undefined : literal(text, field.type);
  // An engine may write a value differently from this product, so a text also finds the value that it means.
  const isText = (value: Parameter) => value.type === 'text' && castOf(field, value) === undefined;
  if (typeof exact === 'object' && !isText(exact) && incomparableReason(field, exact, dialect.holds) === undefined) {
    tests.push(rows.tested(field, 'v', { kind: 'compare', operator: '=', value: exact }));
  }
  const lines = [
    isCounted ? 'SELECT v, n' : 'SELECT v',
    isCounted
      ? sql`FROM (\n  SELECT v, COUNT(*) AS n\n  FROM (\n  SELECT ${value} AS v\n  ${from}\n) AS listed\n  GROUP BY v\n) AS found`
      : sql`FROM (\n  SELECT DISTINCT ${value} AS v\n  ${from}\n) AS found`,
    sql`WHERE v IS NOT NULL${tests.length === 0 ? '' : sql` AND (${joinSql(tests, ' OR ')})`}`,
    `ORDER BY ${dialect.orderBy('v', 'asc')}`,
    dialect.limit(limit),
  ];
  return {
    dataset: field.dataset,
    field: field.name,
    statement: joinSql(lines, '\n').print(dialect),
    searchedField: field,
  };
}

/** Compiles the newest value of a date, over the rows that the caller may see. `model` is the model as the caller sees it. */
export function compileNewest(field: Field, model: Model, { warehouse: { dialect } }: Target): Statement {
  const rows = new RowsRenderer(model, dialect);
  const from = rows.from(singleDatasetTree(field.dataset), '  ');
  return sql`SELECT MAX(v) AS v\nFROM (\n  SELECT ${rows.listed(field)} AS v\n  ${from}\n) AS found`.print(dialect);
}

/** Writes an instant as engines do, with a space and without ending zeros; this product writes ISO 8601. */
function spelledAsStored(text: string, { type }: Field): string {
  if (type !== 'timestamp' && type !== 'timestamptz' && type !== 'time') return text;
  return text
    .replace(/(\d)T(?=\d)/i, '$1 ')
    .replace(/(\.\d*?)0*Z?$/i, '$1')
    .replace(/(\d)\.?Z$/i, '$1');
}

/** Returns the text of a value as a filter takes it; `undefined` for a text with U+0000 or a number that JSON lacks. */
export function textOf(value: Scalar, field: Field): string | undefined {
  if (typeof value !== 'number') {
    const text = String(value);
    return text.includes('\0') ? undefined : text;
  }
  return Number.isFinite(value) ? String(isSingle(field) ? shortestSingle(value) : value) : undefined;
}
