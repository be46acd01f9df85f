import type { InlineRelation } from '../model.ts';
import { choice, required } from '../xml/attributes.ts';
import { elementsOf, firstOf, textOf, type XmlElement } from '../xml/document.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import { DATA_TYPES } from './types.ts';

/** Rows that are written in the schema. A value that a row leaves out is null. */
export function inlineTable(element: XmlElement, problems: Problems): InlineRelation {
  const definitions = firstOf(element, 'ColumnDefs');
  const columns = (definitions === undefined ? [] : elementsOf(definitions, 'ColumnDef')).map((column) => ({
    name: required(column, 'name', problems),
    type: choice(column, 'type', DATA_TYPES, 'String', problems),
  }));
  if (columns.length === 0) problems.error(element, 'An <InlineTable> needs <ColumnDefs> with a <ColumnDef>.');
  const rows = firstOf(element, 'Rows');
  return {
    kind: 'inline',
    alias: required(element, 'alias', problems),
    columns,
    rows: (rows === undefined ? [] : elementsOf(rows, 'Row')).map((row) => {
      const values = new Map<string, string>();
      for (const value of elementsOf(row, 'Value')) {
        const column = required(value, 'column', problems);
        if (!columns.some(({ name }) => name === column))
          problems.error(
            value,
            `The inline table has no column "${column}".${suggestion(
              column,
              columns.map(({ name }) => name),
            )}`,
          );
        values.set(column, textOf(value).text.trim());
      }
      return columns.map(({ name }) => values.get(name) ?? null);
    }),
    line: element.line,
  };
}
