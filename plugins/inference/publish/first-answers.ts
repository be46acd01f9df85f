/** The first saved queries of a new cube and a dashboard of them. Pure. */
import type { ChartMode } from '../../../router/chart-modes.ts';
import type { Cube, CubeProposal, Dimension } from '../proposal/schema.ts';

/** A document of the repository. */
export interface FirstDocument {
  readonly path: string;
  readonly text: string;
}

const MAX_MEASURES = 4;
const MAX_CHARTS = 4;
const TOP_ROWS = 15;
const COLUMNS = 12;
/** Rows of the dashboard's grid: a number needs one. */
const FIGURE_ROWS = 1;
const CHART_ROWS = 5;

interface Answer {
  readonly id: string;
  readonly title: string;
  readonly mode: ChartMode;
  readonly request: object;
}

/**
 * Returns the key figures of the first cube, their course over time where there is a calendar, and the first measure by some
 * dimensions: a saved query each, and a dashboard that shows them.
 *
 * @param connection the name that the cube is served by
 * @param folder of the repository, such as `shared/sales`
 */
export function firstAnswers(
  { schemaName, cubes: [cube] }: CubeProposal,
  connection: string,
  folder: string,
): readonly FirstDocument[] {
  const measures = (cube?.measures ?? [])
    .filter(({ aggregator }) => aggregator !== 'distinct-count')
    .slice(0, MAX_MEASURES);
  const [first] = measures;
  if (cube === undefined || first === undefined) return [];
  const id = `${connection}/${schemaName}/${schemaName}/${cube.name}`;
  const figures = { cube: id, measures: measures.map(({ name }) => ({ name })) };
  const time = cube.dimensions.find(isCalendar);
  const answers: Answer[] = [
    ...(time === undefined ? [] : [overTime(id, first.name, time)]),
    ...chartDimensions(cube)
      .slice(0, MAX_CHARTS)
      .map((dimension, index) => byDimension(id, first.name, dimension, titleOf(dimension, cube), index)),
  ];
  const path = (name: string): string => `${folder}/${name}.service`;
  const query = (title: string, request: object): string =>
    `${JSON.stringify({ version: 1, title, source: { surface: 'cube', request } }, null, 2)}\n`;
  const figureWidth = COLUMNS / measures.length;
  const dashboard = {
    version: 1,
    title: cube.name,
    layout: { columns: COLUMNS },
    tiles: [
      ...measures.map(({ name }, index) => ({
        id: `figure-${index + 1}`,
        kind: 'kpi',
        title: name,
        measure: name,
        query: { path: path('key-figures') },
        x: index * figureWidth,
        y: 0,
        w: figureWidth,
        h: FIGURE_ROWS,
      })),
      ...answers.map(({ id: tile, title, mode }, index) => {
        // The course over time takes the whole width; an odd one at the end, too.
        const isWide =
          (time !== undefined && index === 0) ||
          (index === answers.length - 1 && (index - (time === undefined ? 0 : 1)) % 2 === 0);
        const place = index - (time === undefined ? 0 : 1);
        return {
          id: tile,
          kind: 'chart',
          title,
          chartType: mode,
          query: { path: path(tile) },
          x: isWide ? 0 : (place % 2) * (COLUMNS / 2),
          y:
            FIGURE_ROWS +
            CHART_ROWS * (time !== undefined && index === 0 ? 0 : (time === undefined ? 0 : 1) + Math.floor(place / 2)),
          w: isWide ? COLUMNS : COLUMNS / 2,
          h: CHART_ROWS,
        };
      }),
    ],
  };
  return [
    { path: path('key-figures'), text: query(`Key figures: ${cube.name}`, figures) },
    ...answers.map(({ id: name, title, request }) => ({ path: path(name), text: query(title, request) })),
    { path: `${folder}/overview.servicedash`, text: `${JSON.stringify(dashboard, null, 2)}\n` },
  ];
}

/** Tells whether a dimension is one of dates, or of years alone. */
function isCalendar({ levels }: Dimension): boolean {
  const [only] = levels;
  if (levels.length === 1) return only?.type === 'Integer' && /\b(year|jahr)$/i.test(only.name);
  return levels.some(({ datePart, name }) => datePart === 'month' || /month/i.test(name));
}

/**
 * Picks one dimension of each table, those with levels before flat ones: the coarsest level is what a chart begins
 * with.
 */
function chartDimensions(cube: Cube): readonly Dimension[] {
  const others = cube.dimensions.filter(
    (dimension) => !isCalendar(dimension) && dimension.levels[0]?.column !== dimension.primaryKey,
  );
  const ranked = others.toSorted((left, right) => right.levels.length - left.levels.length);
  const seen = new Set<string>();
  return ranked.filter(({ foreignKey, name }) => {
    const place = foreignKey === '' ? name : foreignKey;
    const isNew = !seen.has(place);
    seen.add(place);
    return isNew;
  });
}

function overTime(cube: string, measure: string, { name, levels }: Dimension): Answer {
  const month = levels.find((level) => level.datePart === 'month' || /month/i.test(level.name)) ?? levels[0];
  return {
    id: 'over-time',
    title: `${measure} by ${month?.name.toLowerCase() ?? 'month'}`,
    mode: 'line',
    request: { cube, measures: [{ name: measure }], rows: [{ dimension: name, level: month?.name ?? '' }] },
  };
}

/**
 * Names what a chart of a dimension's first level is by: the level, with its dimension where another has one of that
 * name.
 */
function titleOf(dimension: Dimension, { dimensions }: Cube): string {
  const level = dimension.levels[0]?.name ?? '';
  const isAlone = dimensions.every((other) => other === dimension || other.levels[0]?.name !== level);
  if (isAlone) return level.toLowerCase();
  return (dimension.name.endsWith(level) ? dimension.name : `${dimension.name}, ${level}`).toLowerCase();
}

/** Periods stay in their order. */
const PERIOD = /\b(year|quarter|month|week|weekday|day|hour|period|jahr|quartal|monat|woche|tag|stunde)$/i;

function byDimension(cube: string, measure: string, { name, levels }: Dimension, title: string, index: number): Answer {
  const level = levels[0]?.name ?? '';
  return {
    id: `by-${index + 1}`,
    title: `${measure} by ${title}`,
    mode: 'bar',
    request: {
      cube,
      measures: [{ name: measure }],
      rows: [{ dimension: name, level }],
      ...(PERIOD.test(level) ? {} : { order: [{ by: measure, direction: 'desc' }], limit: TOP_ROWS }),
    },
  };
}
