import { firstOf, type XmlElement } from '../../../xml/index.ts';
import type { Expression } from '../model.ts';
import { sqlTextOf } from '../shared-elements/sql-texts.ts';
import { text } from '../xml/attributes.ts';
import type { Problems } from '../xml/problems.ts';

/** Returns the column of an attribute, or the SQL of a child element. The element wins. */
export function expressionOf(
  element: XmlElement,
  attribute: string,
  child: string,
  table: string,
  problems: Problems,
): Expression | undefined {
  const sql = firstOf(element, child);
  const name = text(element, attribute);
  if (sql !== undefined) {
    if (name !== undefined)
      problems.warn(sql, `<${element.name}> has "${attribute}" and <${child}>; the attribute is ignored.`);
    return { kind: 'sql', table, sql: sqlTextOf(sql, problems, table) };
  }
  return name === undefined ? undefined : { kind: 'column', table, name, line: element.line };
}
