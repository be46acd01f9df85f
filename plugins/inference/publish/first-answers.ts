/** The first saved queries of a new cube and a dashboard of them. Pure. */
import type { ChartMode } from '../../../router/chart-modes.ts';
import type { ChartSettings } from '../../../router/chart-settings.ts';
import { withoutPersonal } from '../proposal/personal-marks.ts';
import type { Cube, CubeProposal, Dimension } from '../proposal/schema.ts';
import { TITLES, type Titles } from '../proposal/titles.ts';
import { type AnswerRequests, cubeRequests, semanticRequests } from './answer-requests.ts';
import { type PublishedAs, semanticName } from './datasource-names.ts';
import { renderSemanticModel } from './merge-models.ts';

/** A document of the repository. */
export interface FirstDocument {
  readonly path: string;
  readonly text: string;
}

const MAX_MEASURES = 4;
const MAX_CHARTS = 4;
/** Number of groups up to which a chart shows all; beyond, it shows the greatest, and its title mentions that. */
const MAX_GROUPS = 30;
const TOP_GROUPS = 15;
const COLUMNS = 12;
/** Rows of the dashboard's grid: a number needs one. */
const FIGURE_ROWS = 1;
const CHART_ROWS = 5;

interface Answer {
  readonly id: string;
  readonly title: string;
  readonly mode: ChartMode;
  readonly request: object;
  /** Whether it has all groups. */
  readonly isWhole: boolean;
}

/**
 * Returns saved queries and a dashboard that shows them: the key figures of the first cube, their course over time where
 * there is a calendar, and the first measure by some dimensions. Each chart adds up to its key figure, unless its title
 * mentions that it shows the greatest groups only.
 *
 * @param name the name of the cube's connection
 * @param folder of the repository, such as `shared/sales`
 * @param as the surfaces that serve the proposal
 */
export function firstAnswers(
  proposal: CubeProposal,
  name: string,
  folder: string,
  as: readonly PublishedAs[],
): readonly FirstDocument[] {
  const titles = TITLES[proposal.language ?? 'en'];
  const [cube] = proposal.cubes.map(withoutPersonal);
  const requests = cube === undefined ? undefined : writeRequests(proposal, cube, name, as);
  const measures = (cube?.measures ?? [])
    .filter((measure) => measure.aggregator !== 'distinct-count' && requests?.measureKey(measure.name) !== undefined)
    .slice(0, MAX_MEASURES);
  const [first] = measures;
  if (cube === undefined || requests === undefined || first === undefined) return [];
  const figures = requests.figures(measures.map((measure) => measure.name));
  const time = cube.dimensions.find(isCalendar);
  const course = time === undefined ? undefined : overTime(requests, first.name, time, titles);
  const answers: Answer[] = [
    ...(course === undefined ? [] : [course]),
    ...chartDimensions(cube)
      // Amounts of one currency are in one group of the currencies.
      .filter(({ levels }) => first.where === undefined || levels[0]?.column !== first.where.column)
      .flatMap(
        (dimension) =>
          byDimension(
            requests,
            first.name,
            dimension,
            titles.by(first.name, writeTitle(dimension, cube, titles)),
            titles,
          ) ?? [],
      )
      .slice(0, MAX_CHARTS)
      .map((answer, index) => ({ ...answer, id: `by-${index + 1}` })),
  ];
  const path = (name: string): string => `${folder}/${name}.service`;
  const query = (title: string, request: object, chart?: ChartSettings): string =>
    `${JSON.stringify({ version: 1, title, source: { surface: requests.surface, request }, ...(chart === undefined ? {} : { chart }) }, null, 2)}\n`;
  // Only what adds up has a share.
  const isAdditive = first.aggregator === 'sum' || first.aggregator === 'count';
  const figureWidth = COLUMNS / measures.length;
  const dashboard = {
    version: 1,
    title: cube.name,
    layout: { columns: COLUMNS },
    tiles: [
      ...measures.map((measure, index) => ({
        id: `figure-${index + 1}`,
        kind: 'kpi',
        title: measure.name,
        measure: requests.measureKey(measure.name),
        query: { path: path('key-figures') },
        x: index * figureWidth,
        y: 0,
        w: figureWidth,
        h: FIGURE_ROWS,
      })),
      ...answers.map(({ id: tile, title, mode }, index) => {
        // The course over time takes the whole width; an odd one at the end, too.
        const isWide =
          (course !== undefined && index === 0) ||
          (index === answers.length - 1 && (index - (course === undefined ? 0 : 1)) % 2 === 0);
        const place = index - (course === undefined ? 0 : 1);
        return {
          id: tile,
          kind: 'chart',
          title,
          chartType: mode,
          query: { path: path(tile) },
          x: isWide ? 0 : (place % 2) * (COLUMNS / 2),
          y:
            FIGURE_ROWS +
            CHART_ROWS *
              (course !== undefined && index === 0 ? 0 : (course === undefined ? 0 : 1) + Math.floor(place / 2)),
          w: isWide ? COLUMNS : COLUMNS / 2,
          h: CHART_ROWS,
        };
      }),
    ],
  };
  return [
    { path: path('key-figures'), text: query(titles.keyFigures(cube.name), figures) },
    ...answers.map(({ id, title, request, isWhole }) => ({
      path: path(id),
      text: query(title, request, isWhole && isAdditive ? { ungrouped: true } : undefined),
    })),
    { path: `${folder}/overview.servicedash`, text: `${JSON.stringify(dashboard, null, 2)}\n` },
  ];
}

/** Returns the requests to the surface of the proposal: to its semantic model where there is one. */
function writeRequests(
  proposal: CubeProposal,
  cube: Cube,
  name: string,
  as: readonly PublishedAs[],
): AnswerRequests | undefined {
  const { schemaName } = proposal;
  const model = as.includes('semantic') ? renderSemanticModel(proposal, name) : undefined;
  if (model !== undefined) return semanticRequests(model, cube, semanticName(name));
  return as.includes('cube') ? cubeRequests(`${name}/${schemaName}/${schemaName}/${cube.name}`) : undefined;
}

/** Returns whether a dimension is one of dates, or of years alone. */
function isCalendar({ levels }: Dimension): boolean {
  const [only] = levels;
  if (levels.length === 1) return only?.type === 'Integer' && /\b(year|jahr)$/i.test(only.name);
  return levels.some(({ datePart, name }) => datePart === 'month' || /month/i.test(name));
}

/**
 * Picks one dimension of each table: dimensions that a chart shows completely come before others, then dimensions with
 * levels before flat ones. A chart begins with the coarsest level.
 */
function chartDimensions(cube: Cube): readonly Dimension[] {
  const others = cube.dimensions.filter(
    (dimension) =>
      !isCalendar(dimension) &&
      dimension.levels[0]?.column !== dimension.primaryKey &&
      dimension.levels[0]?.parentColumn === undefined,
  );
  const ranked = others.toSorted(
    (left, right) =>
      Number(isShownWhole(right)) - Number(isShownWhole(left)) || right.levels.length - left.levels.length,
  );
  const seen = new Set<string>();
  return ranked.filter(({ foreignKey, name }) => {
    const place = foreignKey === '' ? name : foreignKey;
    const isNew = !seen.has(place);
    seen.add(place);
    return isNew;
  });
}

/** Returns whether a chart has room for all members of the first level. */
function isShownWhole({ levels: [level] }: Dimension): boolean {
  return level?.members !== undefined && level.members <= MAX_GROUPS;
}

function overTime(requests: AnswerRequests, measure: string, dimension: Dimension, titles: Titles): Answer | undefined {
  const { levels } = dimension;
  const month = levels.find((level) => level.datePart === 'month' || /month|monat/i.test(level.name));
  for (const level of [month, levels[0]]) {
    if (level === undefined) continue;
    const request = requests.byLevel(measure, dimension, level, { limit: undefined, isPeriod: true });
    if (request !== undefined)
      return {
        id: 'over-time',
        title: titles.by(measure, titles.group(level.name)),
        mode: 'line',
        request,
        isWhole: true,
      };
  }
  return undefined;
}

/**
 * Names the grouping of a chart by a dimension's first level: the level, with its dimension where another dimension has a
 * level of that name.
 */
function writeTitle(dimension: Dimension, { dimensions }: Cube, titles: Titles): string {
  const level = dimension.levels[0]?.name ?? '';
  const isAlone = dimensions.every((other) => other === dimension || other.levels[0]?.name !== level);
  if (isAlone) return titles.group(level);
  return titles.group(dimension.name.endsWith(level) ? dimension.name : `${dimension.name}, ${level}`);
}

/** Periods stay in their order. */
const PERIOD = /\b(year|quarter|month|week|weekday|day|hour|period|jahr|quartal|monat|woche|tag|stunde)$/i;

function byDimension(
  requests: AnswerRequests,
  measure: string,
  dimension: Dimension,
  title: string,
  titles: Titles,
): Omit<Answer, 'id'> | undefined {
  const [level] = dimension.levels;
  if (level === undefined) return undefined;
  const isPeriod = PERIOD.test(level.name);
  const limit = isPeriod || isShownWhole(dimension) ? undefined : TOP_GROUPS;
  const request = requests.byLevel(measure, dimension, level, { limit, isPeriod });
  if (request === undefined) return undefined;
  return {
    title: limit === undefined ? title : titles.top(title, limit),
    mode: 'bar',
    request,
    isWhole: limit === undefined,
  };
}
