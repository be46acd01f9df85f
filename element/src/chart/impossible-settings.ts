import { chartColumns, isTime } from '../api/columns.ts';
import type { Answer } from '../api/parse-answer.ts';
import type { SettingProblem } from '../events.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import type { CheckedSettings } from './check-settings.ts';
import type { ChosenMode } from './choose-mode.ts';
import { chooseRoles } from './choose-series.ts';
import { listMembers } from './members.ts';

/** Members that a problem lists as legal values. */
const MAX_LISTED = 20;

interface Known {
  readonly checked: CheckedSettings;
  readonly mode: ChosenMode['mode'];
  readonly result: CheckedSettings;
}

const knownByRows = new WeakMap<Answer['rows'], Known>();

/**
 * Leaves out the settings that are legal in themselves but impossible for the columns and values of this answer, and
 * reports each with its place and the legal values. Equal settings of one answer give one object.
 */
export function withoutImpossible(answer: Answer, mode: ChosenMode['mode'], checked: CheckedSettings): CheckedSettings {
  const known = knownByRows.get(answer.rows);
  if (known?.checked === checked && known.mode === mode) return known.result;
  const columns = withoutImpossibleColumns(answer, checked.settings);
  const values = withoutImpossibleValues(answer, mode, columns.settings);
  const problems = [...columns.problems, ...values.problems];
  const result =
    problems.length === 0 ? checked : { settings: values.settings, problems: [...checked.problems, ...problems] };
  knownByRows.set(answer.rows, { checked, mode, result });
  return result;
}

/** Leaves out the columns that have the wrong type, and those that have another part of the chart already. */
function withoutImpossibleColumns(answer: Answer, settings: ChartSettings): CheckedSettings {
  const problems: SettingProblem[] = [];
  const keyOf = (position: number): string => answer.columns[position]?.key ?? '';
  const metrics = chartColumns(answer).series.map(keyOf);
  const dimensions = answer.columns.flatMap(({ key, type }) =>
    type === 'dimension' && !metrics.includes(key) ? [key] : [],
  );
  const kept: Record<string, unknown> = { ...settings };
  const leaveOut = (name: string, message: string, available: readonly string[]): void => {
    problems.push({ place: `chart.${name}`, message, available });
    delete kept[name];
  };
  const taken = new Set<string>();
  for (const name of ['series', 'facet', 'category'] as const) {
    const key = settings[name];
    if (key === undefined) continue;
    const left = dimensions.filter((each) => !taken.has(each));
    if (dimensions.length > 0 && !left.includes(key))
      leaveOut(name, 'Use a dimension of the answer that no other setting uses.', left);
    else taken.add(key);
  }
  for (const name of ['sizeBy', 'targetColumn'] as const) {
    const key = settings[name];
    if (key !== undefined && !metrics.includes(key)) leaveOut(name, 'Use the key of a metric.', metrics);
  }
  const chosen = settings.metrics?.filter((key, index) => {
    if (metrics.includes(key)) return true;
    problems.push({ place: `chart.metrics[${index}]`, message: 'Use the key of a metric.', available: metrics });
    return false;
  });
  if (chosen !== undefined) kept.metrics = chosen;
  return { settings: kept, problems };
}

/** Leaves out the settings that the values of the answer do not allow. */
function withoutImpossibleValues(answer: Answer, mode: ChosenMode['mode'], settings: ChartSettings): CheckedSettings {
  const problems: SettingProblem[] = [];
  const refuse = (place: string, message: string, available: readonly string[] = []): undefined => {
    problems.push({ place: `chart.${place}`, message, available });
  };
  const { category, metrics } = chooseRoles(answer, settings);
  const isEvery = (positions: readonly number[], test: (value: number) => boolean): boolean =>
    answer.rows.every((row) => positions.every((position) => test(row[position]?.number ?? 1)));
  const [first = [], second = []] = [metrics.slice(0, 1), metrics.slice(1)];
  const isPoints = mode === 'scatter' || mode === 'bubble';
  const positionsOf = {
    x: isPoints ? first : [],
    y: isPoints ? second.slice(0, 1) : mode === 'combo' ? first : metrics,
    y2: second,
  };

  const axes: Record<string, unknown> = {};
  for (const name of ['x', 'y', 'y2'] as const) {
    const axis = settings.axes?.[name];
    if (axis === undefined) continue;
    const { scale, min, max } = axis;
    const isLog = scale === 'log' && isEvery(positionsOf[name], (value) => value > 0);
    if (scale === 'log' && !isLog)
      refuse(`axes.${name}.scale`, 'A logarithmic axis needs values above zero. Use linear.', ['linear']);
    const place = `axes.${name}`;
    const isMin = min === undefined || !isLog || min > 0 || refuse(`${place}.min`, 'Use a number above zero.');
    const isMax =
      max === undefined ||
      (isMin && max <= (min ?? Number.NEGATIVE_INFINITY)
        ? refuse(`${place}.max`, `Use a number above the lowest value ${min}.`)
        : !isLog || max > 0 || refuse(`${place}.max`, 'Use a number above zero.'));
    axes[name] = {
      ...axis,
      scale: scale === 'log' && !isLog ? undefined : scale,
      min: isMin ? min : undefined,
      max: isMax ? max : undefined,
    };
  }

  const column = answer.columns[category ?? -1];
  const members = category === undefined ? [] : [...listMembers(answer, category).values()];
  const names = members.flatMap((row) => answer.rows[row]?.[category ?? -1]?.text ?? []);
  const isCategory = (name: string): boolean =>
    (column !== undefined && isTime(column) && !Number.isNaN(Date.parse(`${name.slice(0, 10)}T00:00Z`))) ||
    names.includes(name) ||
    members.some((row) => answer.rows[row]?.[category ?? -1]?.exact === name);
  const references = settings.references?.filter(({ type, value, from, to, at }, index) => {
    const place = `references[${index}]`;
    if (type === 'target' && value === undefined) refuse(`${place}.value`, 'Give the value of the target.');
    else if (type === 'band' && from === undefined) refuse(`${place}.from`, 'Give the lower edge of the band.');
    else if (type === 'band' && to === undefined) refuse(`${place}.to`, 'Give the upper edge of the band.');
    else if (type === 'event' && !isCategory(at ?? ''))
      refuse(`${place}.at`, 'Use a category of the chart.', names.slice(0, MAX_LISTED));
    else return type !== undefined || refuse(`${place}.type`, 'Give the type.', ['target', 'average', 'band', 'event']);
    return false;
  });
  const totals = settings.totals?.filter(
    (name, index) =>
      names.includes(name) || refuse(`totals[${index}]`, 'Use a category of the chart.', names.slice(0, MAX_LISTED)),
  );
  const isAscending = settings.bands?.every((edge, index, all) => index === 0 || edge > (all[index - 1] ?? edge));
  if (isAscending === false) refuse('bands', 'Use ascending numbers.');
  const isPercent = settings.stack !== 'percent' || isEvery(metrics, (value) => value >= 0);
  if (!isPercent) refuse('stack', 'Shares of 100 % need values of one sign.', ['none', 'normal']);
  return {
    settings: {
      ...settings,
      ...(settings.axes && { axes }),
      ...(references && { references }),
      ...(totals && { totals }),
      ...(isAscending === false && { bands: undefined }),
      ...(!isPercent && { stack: 'normal' as const }),
    },
    problems,
  };
}
