import { elementsOf, firstOf, type XmlElement } from '../../../xml/index.ts';
import type { Level, MemberProperty, ParentChild, Relation } from '../model.ts';
import { aliasesOf } from '../relation-leaves.ts';
import { described, warnOfClasses } from '../shared-elements/described.ts';
import { formatterOf } from '../shared-elements/formatter-scripts.ts';
import { DATA_TYPES, HIDE_MEMBER_IF, LEVEL_TYPES } from '../shared-elements/type-spellings.ts';
import { choice, count, flag, lineOf, required, text } from '../xml/attributes.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import { expressionOf } from './expression.ts';
import { relationIn } from './relation.ts';

/**
 * Reads a level.
 *
 * @param topmost true for the first level of its hierarchy, which has no parents that distinguish its members
 */
export function level(element: XmlElement, relation: Relation, topmost: boolean, problems: Problems): Level {
  warnOfClasses(element, problems);
  const common = described(element, problems);
  const table = tableOf(element, relation, problems);
  const key = expressionOf(element, 'column', 'KeyExpression', table, problems);
  if (key === undefined) problems.error(element, `The level "${common.name}" needs "column" or a <KeyExpression>.`);
  const ordinal = expressionOf(element, 'ordinalColumn', 'OrdinalExpression', table, problems);
  const parent = parentChild(element, table, problems);
  return {
    ...common,
    key: key ?? { kind: 'column', table, name: '', line: common.line },
    nameExpression: expressionOf(element, 'nameColumn', 'NameExpression', table, problems),
    captionExpression: expressionOf(element, 'captionColumn', 'CaptionExpression', table, problems),
    ordinals: ordinal === undefined ? [] : [{ expression: ordinal, descending: false }],
    uniqueMembers: flag(element, 'uniqueMembers', false, problems) || topmost || parent !== undefined,
    type: choice(element, 'type', DATA_TYPES, 'String', problems),
    levelType: choice(element, 'levelType', LEVEL_TYPES, 'Regular', problems),
    hideMemberIf: choice(element, 'hideMemberIf', HIDE_MEMBER_IF, 'never', problems),
    parent,
    properties: elementsOf(element, 'Property').map((property) => memberProperty(property, table, problems)),
    approxRowCount: count(element, 'approxRowCount', problems),
    formatter: formatterOf(element, 'MemberFormatter', problems),
  };
}

function tableOf(element: XmlElement, relation: Relation, problems: Problems): string {
  const aliases = aliasesOf(relation);
  const [sole = '', another] = aliases;
  const table = text(element, 'table');
  if (table !== undefined && !aliases.includes(table))
    problems.error(
      lineOf(element, 'table'),
      `There is no table "${table}" in this hierarchy.${suggestion(table, aliases)}`,
    );
  if (table === undefined && another !== undefined)
    problems.error(element, `This hierarchy joins several tables: "table" must say which one the level is in.`);
  return table ?? sole;
}

function parentChild(element: XmlElement, table: string, problems: Problems): ParentChild | undefined {
  const closure = firstOf(element, 'Closure');
  const expression = expressionOf(element, 'parentColumn', 'ParentExpression', table, problems);
  if (expression === undefined) {
    if (closure !== undefined) problems.error(closure, 'A <Closure> belongs to a level with a "parentColumn".');
    return undefined;
  }
  return {
    expression,
    nullParentValue: element.attributes.get('nullParentValue')?.value,
    closure: closure === undefined ? undefined : closureOf(closure, problems),
  };
}

function closureOf(element: XmlElement, problems: Problems): ParentChild['closure'] {
  const relation = relationIn(element, problems);
  if (relation === undefined || relation.kind === 'join') {
    problems.error(element, 'A <Closure> has one <Table>.');
    return undefined;
  }
  const column = (attribute: string) =>
    ({
      kind: 'column',
      table: relation.alias,
      name: required(element, attribute, problems),
      line: element.line,
    }) as const;
  return {
    table: relation,
    parentColumn: column('parentColumn'),
    childColumn: column('childColumn'),
    line: element.line,
  };
}

function memberProperty(element: XmlElement, table: string, problems: Problems): MemberProperty {
  warnOfClasses(element, problems);
  return {
    ...described(element, problems),
    expression: { kind: 'column', table, name: required(element, 'column', problems), line: element.line },
    type: choice(element, 'type', DATA_TYPES, 'String', problems),
    dependsOnLevelValue: flag(element, 'dependsOnLevelValue', false, problems),
    formatter: formatterOf(element, 'PropertyFormatter', problems),
  };
}
