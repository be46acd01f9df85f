/** Turns the forecast of a seasonally adjusted series into a forecast of the series. */
import { at } from '../numeric/statistics.ts';
import { projectedSeasons, type SeasonalComponent } from '../seasonality/mstl.ts';
import { degreesOf, type Projection } from './projection.ts';

/**
 * Adds the seasons, which repeat: Hyndman and Athanasopoulos (2021), section 5.7. Their values were estimated from the
 * `count` values of the series, as `predictionVariance` counts parameters; the adjusted series does not show it.
 */
export function withSeasons(projection: Projection, seasons: readonly SeasonalComponent[], count: number): Projection {
  const horizon = projection.mean.length;
  const season = projectedSeasons(seasons, horizon);
  const estimated = seasons.reduce((sum, { period }) => sum + period - 1, 0);
  const degrees = degreesOf(projection.degrees, estimated);
  const widening = Math.sqrt((projection.degrees / degrees) * (1 + Math.min(1, estimated / count)));
  return {
    mean: projection.mean.map((value, h) => value + at(season, h)),
    deviation: projection.deviation.map((each) => each * widening),
    degrees,
  };
}
