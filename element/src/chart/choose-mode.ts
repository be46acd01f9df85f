import { isTime } from '../api/columns.ts';
import type { Answer } from '../api/parse-answer.ts';
import { type ChartMode, DEFAULT_CHART_MODE } from '../chart-modes.ts';
import { type Formats, formatsFor } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import { MAX_SERIES_MEMBERS } from '../limits.ts';
import { chooseRoles, type Roles } from './choose-series.ts';
import { listMembers } from './members.ts';
import { defineMode } from './modes/all-modes.ts';

type Language = Pick<Formats, 'say'>;

/** Contains the facts that decide the kind of a chart where nobody chose one. */
interface Facts {
  readonly dimensions: number;
  readonly metrics: number;
  readonly rows: number;
  readonly hasDate: boolean;
  /** Members of the category. */
  readonly categories: number;
}

/** The rule for charts that nobody chose: the first line that applies. */
export const AUTOMATIC_MODES: readonly { readonly when: (facts: Facts) => boolean; readonly mode: ChartMode }[] = [
  { when: ({ dimensions, hasDate }) => dimensions <= 3 && hasDate, mode: 'line' },
  { when: ({ dimensions, metrics }) => dimensions === 0 && metrics > 1, mode: 'bar' },
  {
    when: ({ dimensions, metrics, categories }) => dimensions === 1 && metrics >= 2 && categories > 40,
    mode: 'scatter',
  },
  { when: ({ dimensions }) => dimensions <= 1, mode: 'bar' },
  { when: ({ dimensions, categories }) => dimensions === 2 && categories > 12, mode: 'heatmap' },
  { when: ({ dimensions }) => dimensions <= 3, mode: 'stacked-bar' },
];

/** Contains the mode to draw, or `matrix`, and why it is not the one that was chosen. */
export interface ChosenMode {
  readonly mode: ChartMode | 'matrix' | 'refused';
  readonly reason: string | undefined;
}

/** Chooses the mode to draw: the chosen one where the answer fits it, else one that fits. */
export function chooseMode(
  answer: Answer,
  mode: ChartMode | undefined,
  settings: ChartSettings,
  formats: Language = formatsFor(undefined, undefined),
): ChosenMode {
  const roles = chooseRoles(answer, settings);
  const chosen = mode ?? settings.kind ?? DEFAULT_CHART_MODE;
  const count = roles.series === undefined ? 0 : listMembers(answer, roles.series).size;
  const label = (position: number | undefined) => answer.columns[position ?? -1]?.label ?? '';
  const isOverAxes = chosen === 'auto' || typeof defineMode(chosen).draws === 'function';
  if (isOverAxes && count > MAX_SERIES_MEMBERS && settings.top === undefined)
    return {
      mode: 'refused',
      reason: formats.say(
        '{0} has {1} members, and each would be a series. Filter them, set chart.top to draw the largest, or choose another chart.series.',
        label(roles.series),
        count,
      ),
    };
  const first = chosen === 'auto' ? automaticMode(answer, roles) : chosen;
  const misfit = describeMisfit(answer, roles, first, settings, formats);
  if (misfit === undefined) return { mode: first, reason: undefined };
  const other = automaticMode(answer, roles);
  const isFitting = other !== first && describeMisfit(answer, roles, other, settings, formats) === undefined;
  return { mode: isFitting ? other : 'matrix', reason: misfit };
}

function automaticMode(answer: Answer, roles: Roles): ChartMode {
  const { category, metrics } = roles;
  const column = answer.columns[category ?? -1];
  const facts: Facts = {
    dimensions: countDimensions(answer, roles),
    metrics: metrics.length,
    rows: answer.rows.length,
    hasDate: column !== undefined && isTime(column),
    categories: category === undefined ? 0 : listMembers(answer, category).size,
  };
  return AUTOMATIC_MODES.find(({ when }) => when(facts))?.mode ?? DEFAULT_CHART_MODE;
}

function countDimensions({ columns }: Answer, { category, series, facet, metrics, rest }: Roles): number {
  return columns.some(({ type }) => type === 'metric')
    ? [category, series, facet].filter((each) => each !== undefined && !metrics.includes(each)).length + rest.length
    : Number(category !== undefined);
}

/** Describes why an answer does not fit a mode; undefined where it does. */
function describeMisfit(
  answer: Answer,
  roles: Roles,
  mode: ChartMode,
  settings: ChartSettings,
  formats: Language,
): string | undefined {
  const { label, needs } = defineMode(mode);
  const needed = [
    rangeText(needs.dimensions, countDimensions(answer, roles), 'dimension', formats),
    rangeText(needs.metrics, roles.metrics.length, 'metric', formats),
    rangeText(needs.rows, answer.rows.length, 'row', formats),
    needs.date && !answer.columns.some(isTime) ? formats.say('a date') : undefined,
    formats.say(needs.also?.(answer, roles, settings) ?? '') || undefined,
  ].find((each) => each !== undefined);
  return needed === undefined ? undefined : formats.say('{0} needs {1}', formats.say(label), needed);
}

function rangeText(
  range: readonly [number, number] | undefined,
  count: number,
  what: 'dimension' | 'metric' | 'row',
  formats: Language,
): string | undefined {
  if (range === undefined) return undefined;
  const [least, most] = range;
  const named = (number: number) => formats.say(`{0} ${what}${number === 1 ? '' : 's'}`, number);
  if (count < least) return least === most ? named(least) : formats.say('at least {0}', named(least));
  return count > most ? formats.say('at most {0}', named(most)) : undefined;
}
