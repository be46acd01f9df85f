import { elementsOf, firstOf, type XmlElement } from '../../../xml/index.ts';
import type { JoinRelation, Relation } from '../model.ts';
import { aliasesOf } from '../relation-leaves.ts';
import { inlineTable } from '../shared-elements/inline-table.ts';
import { sqlTextOf } from '../shared-elements/sql-texts.ts';
import { lineOf, required, text } from '../xml/attributes.ts';
import { type Problems, suggestion } from '../xml/problems.ts';

const RELATIONS = ['Table', 'View', 'Join', 'InlineTable'] as const;

/** Returns the relation inside an element; `undefined` if there is none. */
export function relationIn(parent: XmlElement, problems: Problems): Relation | undefined {
  const [first, second] = elementsOf(parent, ...RELATIONS);
  if (second !== undefined)
    problems.error(
      second,
      `<${parent.name}> has one of <Table>, <View>, <Join> and <InlineTable>; this is the second.`,
    );
  if (first === undefined) return undefined;
  const relation = relationOf(first, problems);
  if (relation === undefined) return undefined;
  const aliases = aliasesOf(relation);
  const twice = aliases.find((alias, index) => aliases.indexOf(alias) !== index);
  if (twice !== undefined)
    problems.error(first, `Two tables are called "${twice}" here. Give one of them another name with "alias".`);
  return relation;
}

function relationOf(element: XmlElement, problems: Problems): Relation | undefined {
  switch (element.name) {
    case 'Table': {
      const name = required(element, 'name', problems);
      return {
        kind: 'table',
        schema: text(element, 'schema'),
        name,
        alias: text(element, 'alias') ?? name,
        filter: firstOf(element, 'SQL') === undefined ? undefined : sqlTextOf(element, problems),
        line: element.line,
      };
    }
    case 'View':
      return {
        kind: 'view',
        alias: required(element, 'alias', problems),
        sql: sqlTextOf(element, problems),
        line: element.line,
      };
    case 'InlineTable':
      return inlineTable(element, problems);
    default:
      return readJoin(element, problems);
  }
}

function readJoin(element: XmlElement, problems: Problems): JoinRelation | undefined {
  const sides = elementsOf(element, ...RELATIONS);
  const [left, right] = sides.map((side) => relationOf(side, problems));
  if (left === undefined || right === undefined || sides.length !== 2) {
    if (sides.length !== 2) problems.error(element, `A <Join> joins two relations; this one has ${sides.length}.`);
    return undefined;
  }
  return {
    kind: 'join',
    left,
    right,
    leftKey: key(element, 'left', left, problems),
    rightKey: key(element, 'right', right, problems),
    line: element.line,
  };
}

/**
 * Reads the joined column of one side. If the side is a join itself, the alias names the column's table; without an
 * alias it is the first table.
 */
function key(element: XmlElement, side: 'left' | 'right', relation: Relation, problems: Problems) {
  const aliases = aliasesOf(relation);
  const [sole = '', another] = aliases;
  const alias = text(element, `${side}Alias`);
  if (alias !== undefined && !aliases.includes(alias))
    problems.error(
      lineOf(element, `${side}Alias`),
      `"${alias}" is not on the ${side} side of this join.${suggestion(alias, aliases)}`,
    );
  if (alias === undefined && another !== undefined)
    problems.warn(
      element,
      `The ${side} side of this join has several tables and "${side}Alias" does not say which one; its first, "${sole}", is joined.`,
    );
  const name = required(element, `${side}Key`, problems);
  return { kind: 'column', table: alias ?? sole, name, line: element.line } as const;
}
