/**
 * Makes a function of a series that computes its result once for each series and key, because several candidates ask for it. The values of a series
 * must not change later.
 *
 * @param keyOf the key of the other argument: equal keys have equal results
 */
export function keptOfValues<Options, Result>(
  compute: (values: Float64Array, options: Options) => Result,
  keyOf: (options: Options) => string,
): (values: Float64Array, options: Options) => Result {
  const results = new WeakMap<Float64Array, Map<string, Result>>();
  return (values, options) => {
    let ofValues = results.get(values);
    if (ofValues === undefined) {
      ofValues = new Map();
      results.set(values, ofValues);
    }
    const key = keyOf(options);
    const kept = ofValues.get(key);
    if (kept !== undefined) return kept;
    const result = compute(values, options);
    ofValues.set(key, result);
    return result;
  };
}
