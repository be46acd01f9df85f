import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { TableName } from '../../../router/capabilities/warehouse.ts';

/** The source of a dataset's rows. */
export type Source =
  | { readonly kind: 'table'; readonly table: TableName }
  | { readonly kind: 'query'; readonly sql: string };

/**
 * Reads a dataset's `source`: `table`, `schema.table`, `database.schema.table`, each part bare or quoted by `"`, `` ` ``
 * or `[]` (a quote inside is doubled), or one query. `undefined` when it is neither.
 *
 * @param isQuery returns whether `queryText` is exactly one query; called only for a source that is no name
 */
export function readSource(text: string, isQuery: (query: string) => boolean): Source | undefined {
  const trimmed = queryText(text);
  const parts = nameParts(trimmed);
  if (parts !== undefined && parts.length <= 3) {
    const [name, schema, catalog] = parts.toReversed();
    if (name !== undefined) return { kind: 'table', table: { catalog, schema, name } };
  }
  return isQuery(trimmed) ? { kind: 'query', sql: trimmed } : undefined;
}

/** Returns the text of a source without the semicolon of a query. */
function queryText(text: string): string {
  return text.trim().replace(/;\s*$/, '');
}

const CLOSING: Readonly<Record<string, string>> = { '"': '"', '`': '`', '[': ']' };

/** Splits a dotted name into its parts; `undefined` when the text is no such name. */
export function nameParts(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const closing = CLOSING[text[at] ?? ''];
    let part = '';
    if (closing === undefined) {
      const bare = /^[\p{L}\p{N}_$-]+/u.exec(text.slice(at))?.[0];
      if (bare === undefined) return undefined;
      part = bare;
      at += bare.length;
    } else {
      at += 1;
      for (;;) {
        const char = text[at];
        if (char === undefined) return undefined;
        at += 1;
        if (char !== closing) part += char;
        else if (text[at] === closing) {
          part += closing;
          at += 1;
        } else break;
      }
      if (part === '') return undefined;
    }
    parts.push(part);
    if (at === text.length) return parts;
    if (text[at] !== '.') return undefined;
    at += 1;
  }
}

/** Returns the source as an item of FROM, without an alias. */
export function renderSource(source: Source, dialect: Dialect): string {
  // The line break ends a comment that the query may close with.
  if (source.kind === 'query') return `(${source.sql}\n)`;
  const { catalog, schema, name } = source.table;
  return [catalog, schema, name]
    .filter((part) => part !== undefined)
    .map((part) => dialect.identifier(part))
    .join('.');
}

/** Returns the table's own name, as the schema view shows it. */
export function sourceName(source: Source): string {
  if (source.kind === 'query') return source.sql;
  const { catalog, schema, name } = source.table;
  return [catalog, schema, name].filter((part) => part !== undefined).join('.');
}
