/** The candidates of the method `ets`: exponential smoothing, alone and on the remainder of a decomposition. */
import { mstl } from '../../seasonality/mstl.ts';
import { onLogarithms, type Projector } from '../projection.ts';
import { withSeasons } from '../seasonal-adjustment.ts';
import { fitEts, projectEts, SEARCH_EFFORT } from './fit.ts';
import type { EtsForm } from './model.ts';

/** The longest season that a model has as its own states: Hyndman and Athanasopoulos (2021), section 8.6. */
const MAX_STATE_PERIOD = 24;

type Outline = Pick<EtsForm, 'error' | 'trend' | 'season'>;

const TRENDS = ['N', 'A', 'Ad'] as const;
/** Combinations that are numerically unsound are left out: Hyndman and Athanasopoulos (2021), section 8.6. */
const ADDITIVE: readonly Outline[] = TRENDS.map((trend) => ({ error: 'A', trend, season: 'N' }));
const RELATIVE: readonly Outline[] = TRENDS.map((trend) => ({ error: 'M', trend, season: 'N' }));
const SEASONAL: readonly Outline[] = TRENDS.map((trend) => ({ error: 'A', trend, season: 'A' }));
const RELATIVE_SEASONAL: readonly Outline[] = TRENDS.flatMap((trend) => [
  { error: 'M', trend, season: 'A' },
  { error: 'M', trend, season: 'M' },
]);

/** Returns the candidates. The first is used where no trial can compare them. */
export function etsCandidates(values: Float64Array, periods: readonly number[]): readonly Projector[] {
  const isPositive = values.every((value) => value > 0);
  const [shortest, ...longer] = periods;
  if (shortest === undefined) return [automatic(values, isPositive ? [...ADDITIVE, ...RELATIVE] : ADDITIVE, [])];
  const isPlain = longer.length === 0 && shortest <= MAX_STATE_PERIOD;
  const candidates = isPlain
    ? [automatic(values, isPositive ? [...SEASONAL, ...RELATIVE_SEASONAL] : SEASONAL, [shortest])]
    : [lingering(periods), lingering([shortest])];
  const additive = [...candidates, decomposed(values, periods)];
  if (!isPositive) return additive;
  const onLogs = decomposed(values.map(Math.log), periods);
  return [...additive, ...(isPlain ? [onLogs] : [...candidates, onLogs]).map(onLogarithms)];
}

/** Chooses the form by Akaike's criterion on all of `values`; the projector fits that form to its own values. */
function automatic(values: Float64Array, outlines: readonly Outline[], periods: readonly number[]): Projector {
  const fits = outlines.flatMap(
    (outline) => fitEts(values, { ...outline, periods, hasLingeringErrors: false }, SEARCH_EFFORT) ?? [],
  );
  const [first, ...others] = fits;
  if (first === undefined) return () => undefined;
  const { form } = others.reduce((best, fit) => (fit.aicc < best.aicc ? fit : best), first);
  return (history, horizon) => {
    const fit = fitEts(history, form);
    return fit === undefined ? undefined : projectEts(fit, horizon);
  };
}

/** Projects with additive seasons and errors that linger: Taylor (2003). */
function lingering(periods: readonly number[]): Projector {
  return (values, horizon) => {
    if (values.length < 2 * Math.max(...periods)) return undefined;
    const fit = fitEts(values, { error: 'A', trend: 'N', season: 'A', periods, hasLingeringErrors: true });
    return fit === undefined ? undefined : projectEts(fit, horizon);
  };
}

/** Smooths the series without its seasons, and then repeats the seasons: Hyndman and Athanasopoulos (2021), section 5.7. */
function decomposed(all: Float64Array, periods: readonly number[]): Projector {
  const fewest = 2 * Math.max(...periods);
  if (all.length < fewest) return () => undefined;
  const smooth = automatic(mstl(all, periods).adjusted, ADDITIVE, []);
  return (values, horizon) => {
    if (values.length < fewest) return undefined;
    const { adjusted, seasons } = mstl(values, periods);
    const projection = smooth(adjusted, horizon);
    return projection === undefined ? undefined : withSeasons(projection, seasons, values.length);
  };
}
