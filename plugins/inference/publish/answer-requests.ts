/** Requests of first answers: to the semantic model, which keeps the rows without a member, else to the cube. Pure. */
import type { OsiDataset, OsiField, OsiModel } from '../../semantic/index.ts';
import type { Cube, Dimension, Level } from '../proposal/schema.ts';
import { datasetSource, expressionOf, isMarkedPersonal, readDisplay } from './semantic-models.ts';

/** Number of groups in a chart: all rows of the answer, or the greatest of them. */
export interface GroupOrder {
  /** Groups that are shown, the greatest first; `undefined` for all. */
  readonly limit: number | undefined;
  /** True where groups stay in their own order, as periods do. */
  readonly isPeriod: boolean;
}

/** Writes the requests of one surface; `undefined` for a dimension that does not group every row. */
export interface AnswerRequests {
  readonly surface: 'semantic' | 'cube';
  /** Returns the key of a measure in an answer; `undefined` where the surface lacks it. */
  measureKey(measure: string): string | undefined;
  figures(measures: readonly string[]): object;
  byLevel(measure: string, dimension: Dimension, level: Level, order: GroupOrder): object | undefined;
}

/** Returns the requests to a semantic model: rows with a key without a match are a group there. */
export function semanticRequests(model: OsiModel, cube: Cube, connection: string): AnswerRequests {
  const common = { connection, model: model.name };
  const metricOf = (measure: string): string | undefined =>
    model.metrics?.find((metric) => readDisplay(metric)?.caption === measure)?.name;
  const value = (measure: string) => ({ metric: metricOf(measure) ?? measure });
  return {
    surface: 'semantic',
    measureKey: metricOf,
    figures: (measures) => ({ ...common, values: measures.map(value) }),
    byLevel(measure, dimension, level, { limit, isPeriod }) {
      const place = findField(model, cube, dimension, level);
      if (place === undefined) return undefined;
      const { grain: _, ...field } = place;
      return {
        ...common,
        rows: [place],
        values: [value(measure)],
        sorts: isPeriod
          ? [{ ...field, ...('grain' in place ? { grain: place.grain } : {}), direction: 'ASC' }]
          : [{ ...value(measure), direction: 'DESC' }],
        ...(limit === undefined ? {} : { limit }),
      };
    },
  };
}

/**
 * Returns the requests to a cube: rows with a key without a match are in the member without a key.
 *
 * @param id of the cube: `<connection>/<catalog>/<schema>/<cube>`
 */
export function cubeRequests(id: string): AnswerRequests {
  return {
    surface: 'cube',
    measureKey: (measure) => measure,
    figures: (measures) => ({ cube: id, measures: measures.map((name) => ({ name })) }),
    byLevel: (measure, { name }, level, { limit, isPeriod }) => ({
      cube: id,
      measures: [{ name: measure }],
      rows: [{ dimension: name, level: level.name }],
      ...(isPeriod ? {} : { order: [{ by: measure, direction: 'desc' }] }),
      ...(limit === undefined ? {} : { limit }),
    }),
  };
}

interface FieldPlace {
  readonly dataset: string;
  readonly field: string;
  readonly grain?: string;
}

/** Returns the field that a level shows; a month of a date or of a table of days is a grain of the date. */
function findField(model: OsiModel, cube: Cube, dimension: Dimension, level: Level): FieldPlace | undefined {
  const dataset = datasetOf(model, cube, dimension, level.tableName ?? dimension.tableName);
  if (dataset === undefined) return undefined;
  const shown = fieldOfLevel(dataset, level);
  if (level.datePart !== undefined) {
    const grain = level.datePart === 'day' ? {} : { grain: level.datePart };
    return shown === undefined ? undefined : { dataset: dataset.name, field: shown.name, ...grain };
  }
  const place = dimension.levels.indexOf(level);
  const [, grain] = GRAIN_NAMES.find(([name]) => name.test(level.name)) ?? [];
  const dates = grain === undefined ? [] : dimension.levels.slice(place + 1).filter(({ type }) => type === 'Date');
  const date = dates.map((date) => fieldOfLevel(dataset, date)).find((field) => field?.dimension?.is_time === true);
  if (date !== undefined && grain !== undefined) return { dataset: dataset.name, field: date.name, grain };
  // A month of every year is not a separate group where its year is another level.
  const isWhole = place === 0 || level.uniqueMembers || grain === undefined;
  return shown === undefined || !isWhole ? undefined : { dataset: dataset.name, field: shown.name };
}

const GRAIN_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\b(year|jahr)$/i, 'year'],
  [/\b(quarter|quartal)$/i, 'quarter'],
  [/\b(month|monat)$/i, 'month'],
];

function fieldOfLevel({ fields = [] }: OsiDataset, level: Pick<Level, 'column' | 'dateForm'>): OsiField | undefined {
  const text = expressionOf(level).dialects[0]?.expression;
  return fields.find((field) => field.expression.dialects[0]?.expression === text && !isMarkedPersonal(field));
}

/** Follows the keys of a dimension from the facts to the table of a level. */
function datasetOf(model: OsiModel, cube: Cube, dimension: Dimension, table: string): OsiDataset | undefined {
  const { foreignKey, tableSchema, tableName, primaryKey, joins = [] } = dimension;
  const factSource = datasetSource(cube.factTableSchema, cube.factTableName);
  let at = model.datasets.find(({ source }) => source === factSource);
  if (foreignKey === '') return at;
  const steps = [{ tableSchema, tableName, leftKey: foreignKey, rightKey: primaryKey }, ...joins];
  for (const step of steps) {
    const source = datasetSource(step.tableSchema, step.tableName);
    const names = model.relationships
      ?.filter(
        ({ from, from_columns, to_columns }) =>
          from === at?.name &&
          from_columns.length === 1 &&
          from_columns[0] === step.leftKey &&
          to_columns[0] === step.rightKey,
      )
      .map(({ to }) => to);
    at = model.datasets.find((dataset) => dataset.source === source && names?.includes(dataset.name));
    if (at === undefined || step.tableName === table) return at;
  }
  return undefined;
}
