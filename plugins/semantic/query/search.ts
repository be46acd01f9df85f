/** Values of one field that hold a text: what an agent asks when a schema's samples do not show the value it needs. */
import type { Scope } from '../../../router/capabilities/identity.ts';
import type { Statement } from '../../../router/capabilities/warehouse.ts';
import type { FieldItem } from '../schemas.ts';
import { Bindings } from './bindings.ts';
import { rowsAlone } from './join-tree.ts';
import type { Target } from './pipeline.ts';
import { RowsRenderer } from './render-rows.ts';
import { resolveField } from './resolve.ts';
import { visibleTo } from './visible.ts';

export interface SearchedField {
  readonly dataset: string;
  readonly field: string;
  readonly statement: Statement;
}

/**
 * The distinct values of a field, in their order, whose text contains `text` in any letter case; all of them without
 * one. Only rows that the caller may see are looked at, and only fields that it may use are found.
 *
 * Values are not masked for being few: k-anonymity masks metrics of small groups, and a query that groups by the field
 * shows the same values. A field whose values tell of people is marked as personal data and is then not found here.
 */
export function compileSearch(
  item: FieldItem,
  text: string | undefined,
  limit: number,
  target: Target,
  scope: Scope,
): SearchedField {
  const model = visibleTo(scope, target.model);
  const field = resolveField(item, model);
  const { dialect } = target.warehouse;
  const bindings = new Bindings(dialect);
  const rows = new RowsRenderer(model, dialect, bindings);
  const isOrdered = !['json', 'binary', 'other'].includes(field.type);
  const value = isOrdered ? rows.field(field) : dialect.castToText(rows.field(field));
  const from = rows.from(rowsAlone(field.dataset), '  ');
  const needle = text === undefined || text === '' ? undefined : bindings.bind({ type: 'text', value: text });
  const sql = [
    'SELECT v',
    `FROM (\n  SELECT DISTINCT ${value} AS v\n  ${from}\n) AS found`,
    `WHERE v IS NOT NULL${needle === undefined ? '' : ` AND ${dialect.containsIgnoringCase(dialect.castToText('v'), needle)}`}`,
    `ORDER BY ${dialect.orderBy('v', 'asc')}`,
    dialect.limit(limit),
  ].join('\n');
  return { dataset: field.dataset, field: field.name, statement: { sql, parameters: bindings.parameters } };
}
