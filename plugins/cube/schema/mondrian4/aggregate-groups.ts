import { elementsOf, firstOf, type XmlElement } from '../../../xml/index.ts';
import { findNamed, sameName } from '../mdx-name.ts';
import type {
  AggregateColumn,
  DeclaredAggregate,
  DeclaredAggregateLevel,
  DeclaredAggregateMeasure,
  Measure,
  MeasureGroup,
} from '../model.ts';
import { UnusableAggregate, usableAggregate } from '../shared-elements/aggregate-problems.ts';
import { FACT_COUNT } from '../shared-elements/fact-count.ts';
import { count, lineOf, required, text } from '../xml/attributes.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import { childrenOf, type LinkedDimension } from './dimension.ts';
import type { PhysicalSchema } from './physical.ts';

/** The parts of a cube that aggregate measure groups may name. */
export interface AggregatedCube {
  readonly name: string;
  readonly dimensions: readonly LinkedDimension[];
  readonly measures: readonly Measure[];
  readonly physical: PhysicalSchema;
}

/**
 * Returns the measure groups with the aggregate tables of their measures, which `<MeasureGroup type="aggregate">`
 * declares. A table that names something unknown is left out with a warning.
 */
export function withAggregates(
  groups: readonly MeasureGroup[],
  elements: readonly XmlElement[],
  cube: AggregatedCube,
  problems: Problems,
): readonly MeasureGroup[] {
  const aggregates = elements.flatMap((element) => {
    const name = text(element, 'table') ?? '';
    return usableAggregate(name, () => aggregateOf(element, groups, cube, problems), problems);
  });
  return groups.map((group) => ({
    ...group,
    declaredAggregates: aggregates.flatMap((each) => (each.group === group ? [each.declared] : [])),
  }));
}

function aggregateOf(
  element: XmlElement,
  groups: readonly MeasureGroup[],
  cube: AggregatedCube,
  problems: Problems,
): { readonly group: MeasureGroup; readonly declared: DeclaredAggregate } {
  const { relations } = cube.physical;
  const alias = required(element, 'table', problems);
  const table = relations.get(alias);
  if (table?.kind !== 'table')
    throw new UnusableAggregate(
      lineOf(element, 'table'),
      `it is no <Table> of the <PhysicalSchema>.${suggestion(alias, [...relations.keys()])}`,
    );
  const references = childrenOf(element, 'Measures', 'MeasureRef').map((child) => measureOf(child, cube, problems));
  const measures = references.filter(({ measure }) => measure !== undefined);
  const [group, ...others] = groups.filter(({ name }) => measures.some(({ measure }) => measure?.group === name));
  if (group === undefined || others.length > 0)
    throw new UnusableAggregate(element, 'its measures are not of one measure group.');
  const list = firstOf(element, 'DimensionLinks');
  const links = (list === undefined ? [] : elementsOf(list)).map((child) => linkOf(child, group, cube, problems));
  return {
    group,
    declared: {
      tables: { kind: 'name', schema: table.schema, name: table.name, ignoreCase: true },
      factCount: references.find(({ measure }) => measure === undefined || measure.isFactCount)?.column,
      valueCounts: [],
      keys: links.flatMap(({ keys }) => keys),
      levels: links.flatMap(({ levels }) => levels),
      measures: measures.flatMap(({ measure, column }): readonly DeclaredAggregateMeasure[] =>
        measure === undefined || measure.isFactCount ? [] : [{ ...column, measure: measure.name, rollUp: undefined }],
      ),
      dependent: links.flatMap(({ dependent }) => dependent),
      approxRowCount: count(element, 'approxRowCount', problems),
      line: element.line,
    },
  };
}

/** Returns the column of a measure. A reference to the count of facts, which a cube may not list, has no measure. */
function measureOf(
  element: XmlElement,
  { name, measures }: AggregatedCube,
  problems: Problems,
): { readonly measure: Measure | undefined; readonly column: AggregateColumn } {
  const written = required(element, 'name', problems);
  const column = { column: required(element, 'aggColumn', problems), line: element.line };
  const measure = findNamed(measures, written);
  if (measure !== undefined || sameName(written, FACT_COUNT)) return { measure, column };
  throw new UnusableAggregate(
    lineOf(element, 'name'),
    `the cube "${name}" has no measure "${written}".${suggestion(
      written,
      measures.map((each) => each.name),
    )}`,
  );
}

type Linked = Pick<DeclaredAggregate, 'keys' | 'levels' | 'dependent'>;

const UNLINKED: Linked = { keys: [], levels: [], dependent: [] };

function linkOf(element: XmlElement, group: MeasureGroup, cube: AggregatedCube, problems: Problems): Linked {
  switch (element.name) {
    case 'ForeignKeyLink':
      return foreignKeyLink(element, group, linkedDimension(element, cube, problems));
    case 'CopyLink':
      return copyLink(element, linkedDimension(element, cube, problems), problems);
    default:
      // The other links give the table no column of its own: the dimension is read from the facts.
      return UNLINKED;
  }
}

function linkedDimension(
  element: XmlElement,
  { name, dimensions }: AggregatedCube,
  problems: Problems,
): LinkedDimension {
  const written = required(element, 'dimension', problems);
  const linked = dimensions.find(({ dimension }) => dimension.name === written);
  if (linked !== undefined) return linked;
  const names = dimensions.map(({ dimension }) => dimension.name);
  throw new UnusableAggregate(
    lineOf(element, 'dimension'),
    `the cube "${name}" has no dimension "${written}".${suggestion(written, names)}`,
  );
}

/** Reads a foreign key: of the dimension's members as the facts have it, or of the members of one attribute. */
function foreignKeyLink(
  element: XmlElement,
  { links }: MeasureGroup,
  { dimension, attributes }: LinkedDimension,
): Linked {
  const list = firstOf(element, 'ForeignKey');
  const [child, another] = list === undefined ? [] : elementsOf(list, 'Column');
  const column = text(element, 'foreignKeyColumn') ?? (child === undefined ? undefined : text(child, 'name'));
  if (column === undefined || another !== undefined)
    throw new UnusableAggregate(element, 'a <ForeignKeyLink> needs one column: "foreignKeyColumn".');
  const { line } = element;
  const written = text(element, 'attribute');
  const link = links.find((each) => each.dimension === dimension.name);
  const isKept = link?.kind === 'key' && link.level === written;
  if (written !== undefined && !isKept) {
    const levels = levelsOf(
      dimension,
      (level) => level.name === written && level.uniqueMembers,
      { column, line },
      true,
    );
    if (levels.length > 0) return { ...UNLINKED, levels };
    throw new UnusableAggregate(
      lineOf(element, 'attribute'),
      `the dimension "${dimension.name}" has no level of the attribute "${written}" with a key of one column.${suggestion(
        written,
        attributes.map((each) => each.name),
      )}`,
    );
  }
  if (link?.kind !== 'key' || !isKept)
    throw new UnusableAggregate(element, `the facts have no foreign key of the dimension "${dimension.name}".`);
  return { ...UNLINKED, keys: [{ column, factColumn: link.column.name, line }] };
}

/** Reads copies of a dimension's columns. Columns that are the key of no level depend on the others. */
function copyLink(element: XmlElement, { dimension, attributes }: LinkedDimension, problems: Problems): Linked {
  const written = text(element, 'attribute');
  if (written !== undefined && attributes.every(({ name }) => name !== written))
    throw new UnusableAggregate(
      lineOf(element, 'attribute'),
      `the dimension "${dimension.name}" has no attribute "${written}".${suggestion(
        written,
        attributes.map((each) => each.name),
      )}`,
    );
  const copies = elementsOf(element, 'Column').map((child) => {
    const table = text(child, 'table');
    const name = required(child, 'name', problems);
    const column = { column: required(child, 'aggColumn', problems), line: child.line };
    const isCopied = ({ key }: Level) =>
      key.kind === 'column' && key.name === name && (table === undefined || key.table === table);
    return { column, levels: levelsOf(dimension, isCopied, column, false) };
  });
  return {
    keys: [],
    levels: copies.flatMap(({ levels }) => levels),
    dependent: copies.flatMap(({ column, levels }) => (levels.length === 0 ? [column.column] : [])),
  };
}

type Level = LinkedDimension['dimension']['hierarchies'][number]['levels'][number];

/** Returns a column as the keys of all levels of a dimension that are meant. */
function levelsOf(
  { hierarchies }: LinkedDimension['dimension'],
  isMeant: (level: Level) => boolean,
  column: AggregateColumn,
  isKeyAlone: boolean,
): readonly DeclaredAggregateLevel[] {
  return hierarchies.flatMap(({ uniqueName, levels }) =>
    levels.filter(isMeant).map(({ name }) => ({ ...column, hierarchy: uniqueName, level: name, isKeyAlone })),
  );
}
