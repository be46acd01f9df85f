import { findNamed } from '../../../schema/mdx-name.ts';
import type * as model from '../../../schema/model.ts';
import { type Element, lookUp } from '../../compile/look-up-name.ts';
import type { Scope } from '../../compile/scope.ts';
import type { RuntimeCube } from '../../cube/cube.ts';
import type { FactGroup } from '../../metadata/fact-group.ts';
import type { Hierarchy, Level, Member } from '../../metadata/member.ts';
import type { ReturnItem } from '../../syntax/ast.ts';
import { MdxError } from '../../syntax/errors.ts';
import { nearest } from '../../syntax/nearest-candidates.ts';
import { unparseSegments } from '../../syntax/unparse.ts';

/** A column of a drill-through with its source. */
export type Column =
  | {
      readonly kind: 'level';
      readonly name: string;
      readonly caption: string;
      readonly hierarchy: Hierarchy;
      readonly expression: model.Expression;
    }
  | { readonly kind: 'measure'; readonly name: string; readonly caption: string; readonly measure: model.Measure };

type MemberAttribute = 'NAME' | 'CAPTION' | 'KEY';
const PARTS: Readonly<Record<string, MemberAttribute>> = {
  NAME: 'NAME',
  MEMBER_NAME: 'NAME',
  CAPTION: 'CAPTION',
  MEMBER_CAPTION: 'CAPTION',
  KEY: 'KEY',
  MEMBER_KEY: 'KEY',
  MEMBER_VALUE: 'KEY',
  MEMBERVALUE: 'KEY',
};

/** Returns the columns of a statement without RETURN: the captions of every visible level, and the cell's measure. */
export function allColumns(cube: RuntimeCube, group: FactGroup, measure: Member): readonly Column[] {
  const levels = hierarchiesOf(cube, group).flatMap((hierarchy) =>
    hierarchy.model?.ofAttribute === true && repeats(cube, group, hierarchy) ? [] : reachedLevels(hierarchy, group),
  );
  return [...levels.map((level) => levelColumn(level, 'CAPTION', level.uniqueName)), measureColumn(measure)];
}

/** Returns whether another hierarchy of the dimension has all levels of an attribute's own hierarchy. */
function repeats(cube: RuntimeCube, group: FactGroup, hierarchy: Hierarchy): boolean {
  const names = new Set(
    hierarchiesOf(cube, group)
      .filter((each) => each.dimension === hierarchy.dimension && each.model?.ofAttribute !== true)
      .flatMap((each) => reachedLevels(each, group).map(({ name }) => name)),
  );
  return reachedLevels(hierarchy, group).every(({ name }) => names.has(name));
}

/**
 * Returns the columns that RETURN names.
 *
 * @throws MdxError with the position of a name that is not a column of these facts
 */
export function returnedColumns(scope: Scope, group: FactGroup, items: readonly ReturnItem[]): readonly Column[] {
  return items.flatMap((item) => columnsOf(scope, group, item));
}

function columnsOf(scope: Scope, group: FactGroup, item: ReturnItem): readonly Column[] {
  const { segments } = item.of;
  const text = unparseSegments(segments);
  const name = item.fn === undefined ? text : `${item.fn.toUpperCase()}(${text})`;
  const part = partOf(item);
  const element = lookUp(scope, segments);
  if (element?.kind === 'member' && element.member.hierarchy.isMeasures) {
    if (item.fn !== undefined) throw new MdxError(`${name}: a measure has no ${item.fn.toUpperCase()}.`, item.position);
    return [storedMeasureColumn(element.member, group, item)];
  }
  const levels = element === undefined ? [] : levelsOf(element);
  if (levels.length > 0) {
    const reachedLevels = levels.filter((level) => group.reachesLevel(level));
    if (reachedLevels.length === 0) throw notRelated(group, text, item);
    return reachedLevels.map((level) => levelColumn(level, part, reachedLevels.length === 1 ? name : level.uniqueName));
  }
  const property = item.fn === undefined ? propertyColumn(scope, group, item) : undefined;
  if (property !== undefined) return [property];
  throw new MdxError(
    element === undefined
      ? `MDX object '${text}' not found in cube '${scope.cube.name}'`
      : `'${text}' is not a level, measure or property, and RETURN takes only these.`,
    item.position,
    nearest(text, columnNames(scope.cube, group)),
  );
}

function partOf({ fn, position }: ReturnItem): MemberAttribute {
  if (fn === undefined) return 'CAPTION';
  const part = Object.hasOwn(PARTS, fn.toUpperCase()) ? PARTS[fn.toUpperCase()] : undefined;
  if (part === undefined) {
    throw new MdxError(`There is no function ${fn} in RETURN.`, position, nearest(fn, Object.keys(PARTS)));
  }
  return part;
}

/** Returns a level, or the visible levels of a hierarchy or a dimension's main hierarchy. */
function levelsOf(element: Element): readonly Level[] {
  switch (element.kind) {
    case 'level':
      return element.level.kind === 'stored' && element.level.hierarchy.members.seesLevel(element.level)
        ? [element.level]
        : [];
    case 'hierarchy':
      return visibleLevels(element.hierarchy);
    case 'dimension':
      return element.dimension.mainHierarchy === undefined ? [] : visibleLevels(element.dimension.mainHierarchy);
    case 'member':
      return [];
  }
}

function propertyColumn(scope: Scope, group: FactGroup, item: ReturnItem): Column | undefined {
  const { of } = item;
  const last = of.segments.at(-1);
  const above = of.segments.slice(0, -1);
  if (last?.kind !== 'name' || above.length === 0) return undefined;
  const element = lookUp(scope, above);
  for (const level of element === undefined ? [] : levelsOf(element)) {
    const property = findNamed(level.model?.properties ?? [], last.name);
    if (property === undefined) continue;
    if (!group.reachesLevel(level)) throw notRelated(group, unparseSegments(of.segments), item);
    return {
      kind: 'level',
      name: unparseSegments(of.segments),
      caption: property.caption ?? property.name,
      hierarchy: level.hierarchy,
      expression: property.expression,
    };
  }
  return undefined;
}

function notRelated(group: FactGroup, text: string, { position }: ReturnItem): MdxError {
  return new MdxError(`The facts of '${group.name}' are not related to '${text}'.`, position);
}

function storedMeasureColumn(member: Member, group: FactGroup, { position }: ReturnItem): Column {
  if (member.measure === undefined) {
    throw new MdxError(`'${member.uniqueName}' is calculated; RETURN takes stored measures.`, position);
  }
  if (member.measure.group !== group.name) {
    throw new MdxError(`'${member.uniqueName}' is not a measure of the facts of '${group.name}'.`, position);
  }
  return measureColumn(member);
}

function measureColumn({ uniqueName, caption, measure }: Member): Column {
  if (measure === undefined) throw new MdxError(`'${uniqueName}' is no stored measure.`);
  return { kind: 'measure', name: uniqueName, caption, measure };
}

function levelColumn(level: Level, part: MemberAttribute, name: string): Column {
  const { model: of, hierarchy } = level;
  if (of === undefined) throw new MdxError(`'${level.uniqueName}' has no column.`);
  const expression =
    part === 'KEY'
      ? of.key
      : part === 'NAME'
        ? (of.nameExpression ?? of.key)
        : (of.captionExpression ?? of.nameExpression ?? of.key);
  return { kind: 'level', name, caption: level.caption, hierarchy, expression };
}

function hierarchiesOf(cube: RuntimeCube, group: FactGroup): readonly Hierarchy[] {
  return cube.hierarchies.filter((each) => each.visible && !each.isMeasures && group.reaches(each));
}

function visibleLevels(hierarchy: Hierarchy): readonly Level[] {
  return hierarchy.levels.filter((level) => level.kind === 'stored' && hierarchy.members.seesLevel(level));
}

/** Returns the visible levels that the facts reach: none below the level at which they join the hierarchy. */
function reachedLevels(hierarchy: Hierarchy, group: FactGroup): readonly Level[] {
  return visibleLevels(hierarchy).filter((level) => group.reachesLevel(level));
}

function columnNames(cube: RuntimeCube, group: FactGroup): readonly string[] {
  const levels = hierarchiesOf(cube, group).flatMap((hierarchy) => reachedLevels(hierarchy, group));
  const measures = cube.measures.members.roots().filter(({ measure }) => measure?.group === group.name);
  return [...levels, ...measures].map(({ uniqueName }) => uniqueName);
}
