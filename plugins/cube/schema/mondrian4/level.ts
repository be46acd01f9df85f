import { firstOf, type XmlElement } from '../../../xml/index.ts';
import type { Expression, Level, ParentChild } from '../model.ts';
import { described, warnOfClasses } from '../shared-elements/described.ts';
import { formatterOf } from '../shared-elements/formatter-scripts.ts';
import { HIDE_MEMBER_IF } from '../shared-elements/type-spellings.ts';
import { choice, required, text } from '../xml/attributes.ts';
import type { Problems } from '../xml/problems.ts';
import { type Attribute, propertiesOf } from './attribute.ts';
import type { PhysicalSchema } from './physical.ts';

export interface LevelContext {
  readonly physical: PhysicalSchema;
  readonly problems: Problems;
  /** Finds the attribute that an XML attribute names, or reports a problem. */
  readonly find: (element: XmlElement, name: string) => Attribute | undefined;
}

/**
 * Returns a level of an attribute. If the attribute's key has several columns, the levels above must have all but one
 * of them. The last column identifies a child within its parent: with year and month, a month is below its year.
 */
export function levelOf(
  attribute: Attribute,
  written: XmlElement | undefined,
  above: readonly Expression[],
  { physical, problems, find }: LevelContext,
): Level | undefined {
  const [key, another] =
    attribute.keys.length === 1 ? attribute.keys : attribute.keys.filter((column) => !above.some(isSame(column)));
  if (key === undefined || another !== undefined) {
    if (attribute.keys.length > 0 && written !== undefined)
      problems.error(
        written,
        `The key of "${attribute.name}" has several columns; all but one of them must be keys of the levels above.`,
      );
    return undefined;
  }
  if (written !== undefined) warnOfClasses(written, problems);
  const parent = written === undefined ? undefined : parentChild(written, physical, problems, find);
  const common = written === undefined ? attribute : described(written, problems, attribute.name);
  return {
    name: common.name,
    caption: common.caption ?? attribute.caption,
    description: common.description ?? attribute.description,
    visible: common.visible,
    annotations: common.annotations,
    line: common.line,
    key,
    nameExpression: attribute.nameExpression,
    captionExpression: attribute.captionExpression,
    ordinals: attribute.orderBy.map((expression) => ({ expression, descending: false })),
    uniqueMembers: attribute.keys.length === 1,
    type: attribute.type,
    levelType: attribute.levelType,
    hideMemberIf: written === undefined ? 'never' : choice(written, 'hideMemberIf', HIDE_MEMBER_IF, 'never', problems),
    parent,
    properties: propertiesOf(attribute, find, problems),
    approxRowCount: attribute.approxRowCount,
    formatter:
      written === undefined
        ? attribute.formatter
        : (formatterOf(written, 'MemberFormatter', problems) ?? attribute.formatter),
  };
}

function parentChild(
  element: XmlElement,
  physical: PhysicalSchema,
  problems: Problems,
  find: LevelContext['find'],
): ParentChild | undefined {
  const closure = firstOf(element, 'Closure');
  if (text(element, 'parentAttribute') === undefined) {
    if (closure !== undefined) problems.error(closure, 'A <Closure> belongs to a level with a "parentAttribute".');
    return undefined;
  }
  const [expression, another] = find(element, 'parentAttribute')?.keys ?? [];
  if (another !== undefined) problems.error(element, 'The key of a parent attribute has one column.');
  if (expression === undefined) return undefined;
  return {
    expression,
    nullParentValue: element.attributes.get('nullParentValue')?.value,
    closure: closure === undefined ? undefined : closureOf(closure, physical, problems),
  };
}

function closureOf(element: XmlElement, physical: PhysicalSchema, problems: Problems): ParentChild['closure'] {
  const table = physical.table(element, 'table');
  if (table === undefined) return undefined;
  const { line } = element;
  const column = (attribute: string) =>
    ({ kind: 'column', table: table.alias, name: required(element, attribute, problems), line }) as const;
  return { table, parentColumn: column('parentColumn'), childColumn: column('childColumn'), line };
}

function isSame(left: Expression): (right: Expression) => boolean {
  return (right) =>
    left.kind === 'column' && right.kind === 'column'
      ? left.table === right.table && left.name === right.name
      : left.kind === 'sql' && right.kind === 'sql' && left.sql === right.sql;
}
