/** Describes a series of demands with periods of zero between them. */

/**
 * The average interval between demands from which a series is intermittent: Syntetos, Boylan and Croston, "On the
 * categorization of demand patterns", Journal of the Operational Research Society 56 (2005).
 */
const INTERMITTENT_INTERVAL = 1.32;

/** Returns whether the series is never negative and its demands are, on average, more than 1.32 periods apart. */
export function isIntermittent(values: Float64Array): boolean {
  const demands = values.reduce((count, value) => count + Number(value !== 0), 0);
  return demands > 1 && values.length > INTERMITTENT_INTERVAL * demands && values.every((value) => value >= 0);
}

/** Returns the mean number of periods from one demand to the next. */
export function meanInterval(values: Float64Array): number {
  return (
    values.length /
    Math.max(
      1,
      values.reduce((count, value) => count + Number(value !== 0), 0),
    )
  );
}
