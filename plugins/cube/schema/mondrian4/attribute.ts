import { elementsOf, firstOf, type XmlElement } from '../../../xml/index.ts';
import type { Script } from '../../scripts/script.ts';
import type { DataType, Described, Expression, LevelType, MemberProperty } from '../model.ts';
import { described, warnOfClasses } from '../shared-elements/described.ts';
import { formatterOf } from '../shared-elements/formatter-scripts.ts';
import { DATA_TYPES, LEVEL_TYPES } from '../shared-elements/type-spellings.ts';
import { choice, count, flag, text } from '../xml/attributes.ts';
import type { Problems } from '../xml/problems.ts';
import type { PhysicalSchema } from './physical.ts';

/** An attribute of a dimension's members. Levels are made from attributes. */
export interface Attribute extends Described {
  /** The key columns. Several columns identify a member together. A usable attribute has at least one. */
  readonly keys: readonly Expression[];
  readonly nameExpression: Expression | undefined;
  readonly captionExpression: Expression | undefined;
  readonly orderBy: readonly Expression[];
  readonly type: DataType;
  readonly levelType: LevelType;
  readonly approxRowCount: number | undefined;
  /** True if the attribute has a hierarchy of its own. */
  readonly hasHierarchy: boolean;
  /** Formats the captions of its members. */
  readonly formatter: Script | undefined;
  readonly element: XmlElement;
}

/** Reads an `<Attribute>` with its columns. */
export function attribute(
  element: XmlElement,
  dimensionTable: string | undefined,
  physical: PhysicalSchema,
  problems: Problems,
): Attribute {
  warnOfClasses(element, problems);
  const common = described(element, problems);
  const table = text(element, 'table') ?? dimensionTable;
  const expressions = (short: string, child: string): readonly Expression[] => {
    const name = text(element, short);
    const list = firstOf(element, child);
    if (name !== undefined && list !== undefined)
      problems.error(list, `The attribute "${common.name}" has "${short}" and <${child}>; one of them is enough.`);
    const columns = list === undefined ? [] : elementsOf(list, 'Column');
    const named = name === undefined ? columns : [undefined];
    return named.flatMap((column) => {
      const owner = (column === undefined ? undefined : text(column, 'table')) ?? table;
      const columnName = column === undefined ? name : text(column, 'name');
      if (columnName === undefined) problems.error(column ?? element, 'A <Column> needs "name".');
      if (owner === undefined)
        problems.error(element, `The attribute "${common.name}" needs "table", as its dimension has none.`);
      return owner === undefined || columnName === undefined
        ? []
        : [physical.column(owner, columnName, column ?? element)];
    });
  };
  const keys = expressions('keyColumn', 'Key');
  if (keys.length === 0)
    problems.error(element, `The attribute "${common.name}" needs "keyColumn" or a <Key> with columns.`);
  const [nameExpression] = expressions('nameColumn', 'Name');
  if (keys.length > 1 && nameExpression === undefined)
    problems.error(element, `The key of "${common.name}" has several columns, so it needs "nameColumn" or a <Name>.`);
  return {
    ...common,
    keys,
    nameExpression,
    captionExpression: expressions('captionColumn', 'Caption')[0],
    orderBy: expressions('orderByColumn', 'OrderBy'),
    type: choice(element, 'datatype', DATA_TYPES, 'String', problems),
    levelType: choice(element, 'levelType', LEVEL_TYPES, 'Regular', problems),
    approxRowCount: count(element, 'approxRowCount', problems),
    hasHierarchy: flag(element, 'hasHierarchy', true, problems),
    formatter: formatterOf(element, 'MemberFormatter', problems),
    element,
  };
}

/** Returns the properties of an attribute's members, which are other attributes of the dimension. */
export function propertiesOf(
  owner: Attribute,
  find: (element: XmlElement, name: string) => Attribute | undefined,
  problems: Problems,
): readonly MemberProperty[] {
  return elementsOf(owner.element, 'Property').flatMap((element) => {
    warnOfClasses(element, problems);
    const attribute = find(element, 'attribute');
    const expression = attribute?.nameExpression ?? attribute?.keys.at(-1);
    if (attribute === undefined || expression === undefined) return [];
    return [
      {
        ...described(element, problems, attribute.name),
        caption: text(element, 'caption') ?? attribute.caption,
        expression,
        type: attribute.nameExpression === undefined ? attribute.type : 'String',
        // Only the data decide whether attributes of a dimension depend on each other.
        dependsOnLevelValue: false,
        formatter: formatterOf(element, 'PropertyFormatter', problems),
      },
    ];
  });
}
