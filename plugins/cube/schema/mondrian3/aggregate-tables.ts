import { elementsOf, firstOf, type XmlElement } from '../../../xml/index.ts';
import { findNamed, quoteName, sameName, segmentsOf } from '../mdx-name.ts';
import type {
  AggregateColumn,
  DeclaredAggregate,
  DeclaredTables,
  Dimension,
  DimensionLink,
  ExcludedTables,
  Hierarchy,
  Level,
  Measure,
} from '../model.ts';
import { UnusableAggregate, usableAggregate } from '../shared-elements/aggregate-problems.ts';
import { count, flag, lineOf, required, text } from '../xml/attributes.ts';
import { type Problems, suggestion } from '../xml/problems.ts';

/** The parts of a cube that aggregate tables may name. */
export interface AggregatedCube {
  readonly name: string;
  readonly dimensions: readonly Dimension[];
  readonly links: readonly DimensionLink[];
  readonly measures: readonly Measure[];
}

/** Reads the aggregate tables of a cube's fact table. One that names something unknown is left out with a warning. */
export function aggregateTables(
  element: XmlElement,
  cube: AggregatedCube,
  problems: Problems,
): readonly DeclaredAggregate[] {
  return elementsOf(element, 'Table').flatMap((table) => {
    const excluded = exclusionsIn(table, problems);
    return elementsOf(table, 'AggName', 'AggPattern').flatMap((declared) => {
      checkKeysAlone(declared, cube, problems);
      const tables = tablesOf(declared, text(table, 'schema'), excluded, problems);
      const isExcluded = tables.kind === 'name' && excluded.some((each) => excludesName(each, tables.name));
      if (isExcluded) return [];
      const name = tables.kind === 'name' ? tables.name : tables.pattern;
      return usableAggregate(name, () => declaredAggregate(declared, tables, cube, problems), problems);
    });
  });
}

function tablesOf(
  element: XmlElement,
  schema: string | undefined,
  excluded: readonly ExcludedTables[],
  problems: Problems,
): DeclaredTables {
  const common = { schema, ignoreCase: flag(element, 'ignorecase', true, problems) };
  if (element.name === 'AggName') return { ...common, kind: 'name', name: required(element, 'name', problems) };
  return {
    ...common,
    kind: 'pattern',
    pattern: required(element, 'pattern', problems),
    excluded: [...excluded, ...exclusionsIn(element, problems)],
  };
}

function exclusionsIn(element: XmlElement, problems: Problems): readonly ExcludedTables[] {
  return elementsOf(element, 'AggExclude').flatMap((each) => {
    const ignoreCase = flag(each, 'ignorecase', true, problems);
    return (['name', 'pattern'] as const).flatMap((kind) => {
      const excluded = text(each, kind);
      return excluded === undefined ? [] : [{ kind, text: excluded, ignoreCase }];
    });
  });
}

function excludesName({ kind, text: excluded, ignoreCase }: ExcludedTables, name: string): boolean {
  return kind === 'name' && (ignoreCase ? sameName(excluded, name) : excluded === name);
}

function declaredAggregate(
  element: XmlElement,
  tables: DeclaredTables,
  cube: AggregatedCube,
  problems: Problems,
): DeclaredAggregate {
  const column = (child: XmlElement, attribute = 'column'): AggregateColumn => ({
    column: required(child, attribute, problems),
    line: child.line,
  });
  const factCount = firstOf(element, 'AggFactCount');
  const levels = elementsOf(element, 'AggLevel');
  return {
    tables,
    factCount: factCount === undefined ? undefined : column(factCount),
    valueCounts: elementsOf(element, 'AggMeasureFactCount').map((child) => ({
      ...column(child),
      factColumn: required(child, 'factColumn', problems),
    })),
    keys: elementsOf(element, 'AggForeignKey').map((child) => ({
      ...column(child, 'aggColumn'),
      factColumn: foreignKeyOf(child, cube, problems),
    })),
    levels: levels.map((child) => {
      const [hierarchy, level] = levelOf(child, cube, problems);
      return {
        ...column(child),
        hierarchy: hierarchy.uniqueName,
        level: level.name,
        isKeyAlone: !flag(child, 'collapsed', true, problems),
      };
    }),
    measures: elementsOf(element, 'AggMeasure').map((child) => ({
      ...column(child),
      measure: measureOf(child, cube, problems),
      rollUp: text(child, 'rollupType'),
    })),
    dependent: levels.flatMap(dependentColumns),
    approxRowCount: count(element, 'approxRowCount', problems),
    line: element.line,
  };
}

/** Returns the columns with names, captions and properties of a level's members. */
function dependentColumns(level: XmlElement): readonly string[] {
  const ofLevel = ['nameColumn', 'captionColumn', 'ordinalColumn'].map((attribute) => text(level, attribute));
  const ofProperties = elementsOf(level, 'AggLevelProperty').map((property) => text(property, 'column'));
  return [...ofLevel, ...ofProperties].filter((column) => column !== undefined);
}

function foreignKeyOf(element: XmlElement, { name, links }: AggregatedCube, problems: Problems): string {
  const written = required(element, 'factColumn', problems);
  const keys = links.flatMap((link) => (link.kind === 'key' ? [link.column.name] : []));
  const key = keys.find((each) => sameName(each, written));
  if (key !== undefined) return key;
  throw new UnusableAggregate(
    lineOf(element, 'factColumn'),
    `no dimension of the cube "${name}" is joined by the column "${written}".${suggestion(written, [...new Set(keys)])}`,
  );
}

function levelOf(element: XmlElement, cube: AggregatedCube, problems: Problems): readonly [Hierarchy, Level] {
  const written = required(element, 'name', problems);
  const level = levelNamed(written, cube.dimensions);
  if (level !== undefined) return level;
  const names = cube.dimensions.flatMap(({ hierarchies }) =>
    hierarchies.flatMap(({ uniqueName, levels }) => levels.map((each) => `${uniqueName}.${quoteName(each.name)}`)),
  );
  throw new UnusableAggregate(
    lineOf(element, 'name'),
    `the cube "${cube.name}" has no level "${written}".${suggestion(written, names)}`,
  );
}

function measureOf(element: XmlElement, { name, measures }: AggregatedCube, problems: Problems): string {
  const written = required(element, 'name', problems);
  const measure = findNamed(measures, segmentsOf(written)?.at(-1) ?? written);
  if (measure !== undefined) return measure.name;
  throw new UnusableAggregate(
    lineOf(element, 'name'),
    `the cube "${name}" has no stored measure "${written}".${suggestion(
      written,
      measures.map((each) => `[Measures].${quoteName(each.name)}`),
    )}`,
  );
}

/**
 * Refuses an aggregate table that has only the key of a level (`collapsed="false"`) if the key does not identify the
 * level's members: such a schema is wrong for every engine.
 */
function checkKeysAlone(element: XmlElement, { dimensions }: AggregatedCube, problems: Problems): void {
  for (const child of elementsOf(element, 'AggLevel')) {
    if (flag(child, 'collapsed', true, problems)) continue;
    const written = text(child, 'name') ?? '';
    const [, level] = levelNamed(written, dimensions) ?? [];
    if (level === undefined || level.uniqueMembers) continue;
    problems.error(
      lineOf(child, 'name'),
      `The aggregate table has the key of ${written} alone (collapsed="false"), so the level needs uniqueMembers="true".`,
    );
  }
}

/** Finds the level that a name such as `[Time].[Year]`, `[Time.Weekly].[Year]` or `[Time].[Weekly].[Year]` means. */
function levelNamed(written: string, dimensions: readonly Dimension[]): readonly [Hierarchy, Level] | undefined {
  const [first = '', ...rest] = segmentsOf(written) ?? [];
  const last = rest.at(-1) ?? '';
  const hierarchyName = rest.length > 1 ? rest[0] : undefined;
  for (const { name: dimension, hierarchies } of dimensions) {
    // A dimension's name means its hierarchy of that name before others.
    const ordered = hierarchies.toSorted(
      (left, right) => Number(right.name === dimension) - Number(left.name === dimension),
    );
    for (const hierarchy of ordered) {
      const { name, levels } = hierarchy;
      const isMeant =
        hierarchyName === undefined
          ? sameName(first, dimension) || sameName(first, `${dimension}.${name}`)
          : sameName(first, dimension) && sameName(hierarchyName, name);
      const level = isMeant ? levels.find((each) => sameName(each.name, last)) : undefined;
      if (level !== undefined) return [hierarchy, level];
    }
  }
  return undefined;
}
