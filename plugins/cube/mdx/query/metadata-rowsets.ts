import type { Scalar, ScalarType } from '../../../../router/capabilities/scalar.ts';
import type { Aggregator } from '../../schema/aggregators.ts';
import { sameName } from '../../schema/mdx-name.ts';
import type { LevelType, Schema } from '../../schema/model.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import type { Hierarchy, Level, Member } from '../metadata/member.ts';
import { levelNumber, MEMBER_TYPES } from '../metadata/member-codes.ts';
import { childrenOf, parentOf } from '../metadata/navigate.ts';
import type { Rowset, RowsetCondition } from '../syntax/ast.ts';
import { MdxError } from '../syntax/errors.ts';
import { nearest } from '../syntax/nearest-candidates.ts';
import { describeCube } from './describe.ts';
import type { DrillthroughResult } from './drillthrough/result.ts';

/**
 * Rowsets of `SELECT … FROM $system.NAME`: the cubes that roles see, with what they see of them, in the columns and
 * codes of OLE DB for OLAP. Members are read from the warehouse, and everything else comes from the schema.
 */

type Row = Readonly<Record<string, Scalar>>;
type Columns = Readonly<Record<string, ScalarType>>;

/** The context of a rowset. `may` returns false if a condition already fails on the known columns of a row. */
interface RowsetContext {
  readonly schema: Schema;
  readonly cubes: () => readonly RuntimeCube[];
  readonly may: (row: Row) => boolean;
}

interface RowsetDefinition {
  readonly columns: Columns;
  readonly rows: (context: RowsetContext) => Iterable<Row>;
}

const OF_CUBE = { CATALOG_NAME: 'text', CUBE_NAME: 'text' } as const;
const OF_HIERARCHY = { ...OF_CUBE, DIMENSION_UNIQUE_NAME: 'text', HIERARCHY_UNIQUE_NAME: 'text' } as const;
const OF_LEVEL = { ...OF_HIERARCHY, LEVEL_UNIQUE_NAME: 'text', LEVEL_NUMBER: 'integer' } as const;

/** MD_DIMTYPE. */
const DIMENSION_TYPES = { time: 1, measures: 2, standard: 3 } as const;

/** MDMEASURE_AGGR. A calculated measure has 127. */
const AGGREGATOR_CODES: Readonly<Record<Aggregator, number>> = {
  sum: 1,
  count: 2,
  min: 3,
  max: 4,
  avg: 5,
  'distinct-count': 8,
};
const CALCULATED = 127;

/** MDLEVEL_TYPE. The all level has 1. */
const LEVEL_TYPES: Readonly<Record<LevelType, number>> = {
  Regular: 0,
  TimeYears: 0x14,
  TimeHalfYears: 0x24,
  TimeQuarters: 0x44,
  TimeMonths: 0x84,
  TimeWeeks: 0x104,
  TimeDays: 0x204,
  TimeHours: 0x304,
  TimeMinutes: 0x404,
  TimeSeconds: 0x804,
  TimeUndefined: 0x1004,
};

function ofCube({ schema, name }: RuntimeCube) {
  return { CATALOG_NAME: schema.name, CUBE_NAME: name };
}

function ofHierarchy(cube: RuntimeCube, { dimension, uniqueName }: Hierarchy) {
  return { ...ofCube(cube), DIMENSION_UNIQUE_NAME: dimension.uniqueName, HIERARCHY_UNIQUE_NAME: uniqueName };
}

function ofLevel(cube: RuntimeCube, level: Level) {
  return { ...ofHierarchy(cube, level.hierarchy), LEVEL_UNIQUE_NAME: level.uniqueName, LEVEL_NUMBER: level.depth };
}

function* hierarchiesOf({ cubes, may }: RowsetContext): Iterable<readonly [RuntimeCube, Hierarchy]> {
  for (const cube of cubes()) {
    for (const hierarchy of cube.hierarchies)
      if (hierarchy.visible && may(ofHierarchy(cube, hierarchy))) yield [cube, hierarchy];
  }
}

function* levelsOf(context: RowsetContext): Iterable<readonly [RuntimeCube, Level]> {
  for (const [cube, hierarchy] of hierarchiesOf(context)) {
    for (const level of hierarchy.levels) {
      // The members of a parent-child level have several depths.
      const { LEVEL_NUMBER, ...fixed } = ofLevel(cube, level);
      const fixedColumns = level.isParentChild ? fixed : { ...fixed, LEVEL_NUMBER };
      if (hierarchy.members.seesLevel(level) && context.may(fixedColumns)) yield [cube, level];
    }
  }
}

function structureOf({ levels }: Hierarchy): number {
  if (levels.some(({ isParentChild }) => isParentChild)) return 2;
  return levels.some(({ model }) => model !== undefined && model.hideMemberIf !== 'never') ? 1 : 0;
}

function* cubeRows({ cubes }: RowsetContext): Iterable<Row> {
  for (const cube of cubes()) {
    yield {
      ...ofCube(cube),
      CUBE_TYPE: 'CUBE',
      CUBE_CAPTION: cube.model.caption ?? cube.name,
      DESCRIPTION: cube.model.description ?? null,
      CUBE_SOURCE: 1,
      IS_DRILLTHROUGH_ENABLED: true,
      IS_WRITE_ENABLED: false,
    };
  }
}

function* dimensionRows({ cubes }: RowsetContext): Iterable<Row> {
  for (const cube of cubes()) {
    const seen = cube.dimensions.filter(({ mainHierarchy }) => mainHierarchy !== undefined);
    for (const [ordinal, { name, uniqueName, caption, type, mainHierarchy }] of seen.entries()) {
      const of = cube.model.dimensions.find((each) => each.name === name);
      yield {
        ...ofCube(cube),
        DIMENSION_NAME: name,
        DIMENSION_UNIQUE_NAME: uniqueName,
        DIMENSION_CAPTION: caption,
        DIMENSION_ORDINAL: ordinal,
        DIMENSION_TYPE: DIMENSION_TYPES[type],
        DEFAULT_HIERARCHY: mainHierarchy?.uniqueName ?? null,
        DESCRIPTION: of?.description ?? null,
        DIMENSION_IS_VISIBLE: of?.visible ?? true,
      };
    }
  }
}

function* hierarchyRows(context: RowsetContext): Iterable<Row> {
  for (const [cube, hierarchy] of hierarchiesOf(context)) {
    const all = hierarchy.hasAll ? hierarchy.members.roots().find(({ kind }) => kind === 'all') : undefined;
    yield {
      ...ofHierarchy(cube, hierarchy),
      HIERARCHY_NAME: hierarchy.name,
      HIERARCHY_CAPTION: hierarchy.caption,
      DIMENSION_TYPE: DIMENSION_TYPES[hierarchy.dimension.type],
      DEFAULT_MEMBER: seenName(hierarchy.defaultMember),
      ALL_MEMBER: all?.uniqueName ?? null,
      DESCRIPTION: hierarchy.model?.description ?? null,
      STRUCTURE: structureOf(hierarchy),
      HIERARCHY_ORDINAL: hierarchy.ordinal,
      HIERARCHY_IS_VISIBLE: hierarchy.model?.visible ?? true,
    };
  }
}

/** Returns the unique name of a member; `null` if the role may not see it. */
function seenName(member: Member): string | null {
  return member.isNull || !member.hierarchy.members.sees(member) ? null : member.uniqueName;
}

function* levelRows(context: RowsetContext): Iterable<Row> {
  for (const [cube, level] of levelsOf(context)) {
    yield {
      ...ofLevel(cube, level),
      LEVEL_NAME: level.name,
      LEVEL_CAPTION: level.caption,
      LEVEL_TYPE: level.kind === 'all' ? 1 : LEVEL_TYPES[level.type],
      DESCRIPTION: level.model?.description ?? null,
      LEVEL_IS_VISIBLE: level.model?.visible ?? true,
    };
  }
}

function* measureRows({ cubes }: RowsetContext): Iterable<Row> {
  for (const cube of cubes()) {
    for (const { uniqueName, of } of describeCube(cube).measures) {
      yield {
        ...ofCube(cube),
        MEASURE_NAME: of.name,
        MEASURE_UNIQUE_NAME: uniqueName,
        MEASURE_CAPTION: of.caption ?? of.name,
        MEASURE_AGGREGATOR: 'aggregator' in of ? AGGREGATOR_CODES[of.aggregator] : CALCULATED,
        MEASUREGROUP_NAME: 'group' in of ? of.group : null,
        DEFAULT_FORMAT_STRING: of.formatString ?? null,
        DESCRIPTION: of.description ?? null,
        MEASURE_IS_VISIBLE: of.visible,
      };
    }
  }
}

function* memberRows(context: RowsetContext): Iterable<Row> {
  for (const [cube, level] of levelsOf(context)) {
    const { members } = level.hierarchy;
    const listed = level.kind === 'all' ? members.roots().filter(({ kind }) => kind === 'all') : members.members(level);
    for (const [ordinal, member] of listed.entries()) {
      const parent = parentOf(member);
      yield {
        ...ofLevel(cube, level),
        LEVEL_NUMBER: levelNumber(member),
        MEMBER_ORDINAL: ordinal,
        MEMBER_NAME: member.name,
        MEMBER_UNIQUE_NAME: member.uniqueName,
        MEMBER_CAPTION: member.caption,
        MEMBER_TYPE: MEMBER_TYPES[member.kind],
        MEMBER_KEY: member.key === null ? null : String(member.key),
        CHILDREN_CARDINALITY: childrenOf(member).length,
        PARENT_LEVEL: parent.isNull ? 0 : levelNumber(parent),
        PARENT_UNIQUE_NAME: parent.isNull ? null : parent.uniqueName,
        PARENT_COUNT: parent.isNull ? 0 : 1,
        DESCRIPTION: member.measure?.description ?? null,
      };
    }
  }
}

const ROWSETS: Readonly<Record<string, RowsetDefinition>> = {
  DBSCHEMA_CATALOGS: {
    columns: { CATALOG_NAME: 'text', DESCRIPTION: 'text' },
    rows: ({ schema }) => [{ CATALOG_NAME: schema.name, DESCRIPTION: schema.description ?? null }],
  },
  MDSCHEMA_CUBES: {
    columns: {
      ...OF_CUBE,
      CUBE_TYPE: 'text',
      CUBE_CAPTION: 'text',
      DESCRIPTION: 'text',
      CUBE_SOURCE: 'integer',
      IS_DRILLTHROUGH_ENABLED: 'boolean',
      IS_WRITE_ENABLED: 'boolean',
    },
    rows: cubeRows,
  },
  MDSCHEMA_DIMENSIONS: {
    columns: {
      ...OF_CUBE,
      DIMENSION_NAME: 'text',
      DIMENSION_UNIQUE_NAME: 'text',
      DIMENSION_CAPTION: 'text',
      DIMENSION_ORDINAL: 'integer',
      DIMENSION_TYPE: 'integer',
      DEFAULT_HIERARCHY: 'text',
      DESCRIPTION: 'text',
      DIMENSION_IS_VISIBLE: 'boolean',
    },
    rows: dimensionRows,
  },
  MDSCHEMA_HIERARCHIES: {
    columns: {
      ...OF_HIERARCHY,
      HIERARCHY_NAME: 'text',
      HIERARCHY_CAPTION: 'text',
      DIMENSION_TYPE: 'integer',
      DEFAULT_MEMBER: 'text',
      ALL_MEMBER: 'text',
      DESCRIPTION: 'text',
      STRUCTURE: 'integer',
      HIERARCHY_ORDINAL: 'integer',
      HIERARCHY_IS_VISIBLE: 'boolean',
    },
    rows: hierarchyRows,
  },
  MDSCHEMA_LEVELS: {
    columns: {
      ...OF_LEVEL,
      LEVEL_NAME: 'text',
      LEVEL_CAPTION: 'text',
      LEVEL_TYPE: 'integer',
      DESCRIPTION: 'text',
      LEVEL_IS_VISIBLE: 'boolean',
    },
    rows: levelRows,
  },
  MDSCHEMA_MEASURES: {
    columns: {
      ...OF_CUBE,
      MEASURE_NAME: 'text',
      MEASURE_UNIQUE_NAME: 'text',
      MEASURE_CAPTION: 'text',
      MEASURE_AGGREGATOR: 'integer',
      MEASUREGROUP_NAME: 'text',
      DEFAULT_FORMAT_STRING: 'text',
      DESCRIPTION: 'text',
      MEASURE_IS_VISIBLE: 'boolean',
    },
    rows: measureRows,
  },
  MDSCHEMA_MEMBERS: {
    columns: {
      ...OF_LEVEL,
      MEMBER_ORDINAL: 'integer',
      MEMBER_NAME: 'text',
      MEMBER_UNIQUE_NAME: 'text',
      MEMBER_CAPTION: 'text',
      MEMBER_TYPE: 'integer',
      MEMBER_KEY: 'text',
      CHILDREN_CARDINALITY: 'integer',
      PARENT_LEVEL: 'integer',
      PARENT_UNIQUE_NAME: 'text',
      PARENT_COUNT: 'integer',
      DESCRIPTION: 'text',
    },
    rows: memberRows,
  },
};

/** A statement whose rowset and columns are resolved. */
export interface ResolvedRowset {
  readonly columns: DrillthroughResult['columns'];
  /**
   * Returns at most `maxRows` rows.
   *
   * @throws DataNotLoaded until the members that it needs are read
   */
  readonly rows: (
    context: Omit<RowsetContext, 'may'>,
    maxRows: number,
  ) => Pick<DrillthroughResult, 'rows' | 'truncated'>;
  /** Returns whether the conditions allow rows of a cube. */
  readonly mayHaveCube: (name: string) => boolean;
}

/**
 * Resolves the rowset that a statement requests.
 *
 * @throws MdxError if the rowset or one of its columns does not exist
 */
export function findRowset({ name, position, columns, conditions }: Rowset): ResolvedRowset {
  const definition = Object.hasOwn(ROWSETS, name) ? ROWSETS[name] : undefined;
  if (definition === undefined)
    throw new MdxError(`There is no rowset '$system.${name}'.`, position, nearest(name, Object.keys(ROWSETS)));
  const columnNamed = (written: string, at: Rowset['position']): string => {
    const column = Object.keys(definition.columns).find((each) => each === written.toUpperCase());
    if (column !== undefined) return column;
    throw new MdxError(
      `$system.${name} has no column '${written}'.`,
      at,
      nearest(written, Object.keys(definition.columns)),
    );
  };
  const shown = columns?.map((each) => columnNamed(each.name, each.position)) ?? Object.keys(definition.columns);
  for (const { column, position: at } of conditions) columnNamed(column, at);
  const may = (row: Row) => conditions.every((condition) => mayHold(condition, row));
  return {
    columns: shown.map((each) => ({ name: each, caption: each, type: definition.columns[each] ?? 'other' })),
    mayHaveCube: (cube) => may({ CUBE_NAME: cube }),
    rows: (context, maxRows) => {
      const rows: Scalar[][] = [];
      for (const row of definition.rows({ ...context, may })) {
        if (!may(row)) continue;
        if (rows.length >= maxRows) return { rows, truncated: true };
        rows.push(shown.map((each) => row[each] ?? null));
      }
      return { rows, truncated: false };
    },
  };
}

/** Returns whether a condition is true for a row, or its column is not known yet. */
function mayHold({ column, operator, value }: RowsetCondition, row: Row): boolean {
  const actual = row[column];
  if (actual === undefined) return true;
  if (actual === null) return false;
  const isEqual = typeof value === 'string' ? sameName(String(actual), value) : String(actual) === String(value);
  return isEqual === (operator === '=');
}
