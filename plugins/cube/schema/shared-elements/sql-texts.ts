import { elementsOf, isElement, type XmlElement } from '../../../xml/index.ts';
import type { ColumnExpression, SqlText, SqlVariant } from '../model.ts';
import { required, text } from '../xml/attributes.ts';
import type { Problems } from '../xml/problems.ts';

/**
 * Reads the SQL of an element by dialect (`<View>`, `<KeyExpression>`, `<ExpressionView>`, …). A `<Column>` without a
 * table belongs to `table`.
 */
export function sqlTextOf(parent: XmlElement, problems: Problems, table = ''): SqlText {
  const variants = elementsOf(parent, 'SQL').flatMap((element) => variantsOf(element, problems, table));
  const seen = new Set<string>();
  for (const { dialect, line } of variants) {
    if (seen.has(dialect)) problems.warn({ line }, `There is SQL for "${dialect}" already; this one is ignored.`);
    seen.add(dialect);
  }
  if (variants.length === 0) problems.error(parent, `<${parent.name}> needs a <SQL dialect="…"> element.`);
  return { variants, line: parent.line };
}

/** Reads the variants of an element, which may be for several dialects: `dialect="oracle,generic"`. */
function variantsOf(element: XmlElement, problems: Problems, table: string): readonly SqlVariant[] {
  const parts = element.content.flatMap((node): (string | ColumnExpression)[] => {
    if (!isElement(node)) return [node.text];
    if (node.name !== 'Column') return [];
    const name = required(node, 'name', problems);
    return [{ kind: 'column', table: text(node, 'table') ?? table, name, line: node.line }];
  });
  if (parts.every((part) => typeof part === 'string' && part.trim() === ''))
    problems.error(element, 'This <SQL> is empty.');
  return (text(element, 'dialect') ?? 'generic')
    .split(',')
    .map((dialect) => ({ dialect: dialect.trim().toLowerCase(), parts, line: element.line }));
}
