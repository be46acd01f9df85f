/** Turns the forecast of a seasonally adjusted series into a forecast of the series. */
import { keptOfValues } from '../numeric/kept-of-values.ts';
import { at } from '../numeric/statistics.ts';
import { type MultiDecomposition, mstl, projectedSeasons, type SeasonalComponent } from '../seasonality/mstl.ts';
import { degreesOf, logarithmsOf, type Projection, type Projector } from './projection.ts';

/**
 * Adds the seasons, which repeat: Hyndman and Athanasopoulos (2021), section 5.7. Their values were estimated from the
 * `count` values of the series, as `predictionVariance` counts parameters; the adjusted series does not show it.
 */
function withSeasons(projection: Projection, seasons: readonly SeasonalComponent[], count: number): Projection {
  const season = projectedSeasons(seasons, projection.mean.length);
  const { degrees, widening } = widened(projection, seasons, count);
  return {
    mean: projection.mean.map((value, h) => value + at(season, h)),
    deviation: projection.deviation.map((each) => each * widening),
    degrees,
  };
}

/** Multiplies by the seasons, which are those of the logarithms. */
function scaledBySeasons(projection: Projection, seasons: readonly SeasonalComponent[], count: number): Projection {
  const season = projectedSeasons(seasons, projection.mean.length).map(Math.exp);
  const { degrees, widening } = widened(projection, seasons, count);
  return {
    mean: projection.mean.map((value, h) => value * at(season, h)),
    deviation: projection.deviation.map((each, h) => each * widening * at(season, h)),
    degrees,
  };
}

function widened(
  { degrees: before }: Projection,
  seasons: readonly SeasonalComponent[],
  count: number,
): { readonly degrees: number; readonly widening: number } {
  const estimated = seasons.reduce((sum, { period }) => sum + period - 1, 0);
  const degrees = degreesOf(before, estimated);
  return { degrees, widening: Math.sqrt((before / degrees) * (1 + Math.min(1, estimated / count))) };
}

/** How a series is separated from its seasons. */
export interface Adjustment {
  readonly periods: readonly number[];
  /** True where seasons are factors, which needs positive values, instead of summands. */
  readonly isScaled: boolean;
  /** True where a season is the same in every cycle. */
  readonly isFixed: boolean;
}

/** Makes a projector work on the series without its seasons. */
export function onAdjusted(project: Projector, { periods, isScaled, isFixed }: Adjustment): Projector {
  if (periods.length === 0) return project;
  return (values, horizon) => {
    if (values.length < 2 * Math.max(...periods)) return undefined;
    const { adjusted, seasons } = decompositionOf(isScaled ? logarithmsOf(values) : values, periods, isFixed);
    const projection = project(isScaled ? adjusted.map(Math.exp) : adjusted, horizon);
    if (projection === undefined) return undefined;
    return (isScaled ? scaledBySeasons : withSeasons)(projection, seasons, values.length);
  };
}

const keptDecomposition = keptOfValues(
  (values, { periods, isFixed }: { readonly periods: readonly number[]; readonly isFixed: boolean }) =>
    mstl(values, periods, isFixed ? { minChangingCycles: Number.POSITIVE_INFINITY } : {}),
  ({ periods, isFixed }) => `${isFixed} ${periods.join()}`,
);

/** Decomposes values, which must not change later. */
export function decompositionOf(values: Float64Array, periods: readonly number[], isFixed = false): MultiDecomposition {
  return keptDecomposition(values, { periods, isFixed });
}
