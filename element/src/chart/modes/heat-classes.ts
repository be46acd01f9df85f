import { niceScale } from '../nice-scale.ts';

/** Most classes of colour: more cannot be told apart. */
const MAX_CLASSES = 7;

/** A range of values that has one colour. */
export interface HeatClass {
  readonly from: number;
  readonly to: number;
  /** Place among the seven colours of its scale. */
  readonly colour: number;
}

export interface Classes {
  readonly classes: readonly HeatClass[];
  readonly isDiverging: boolean;
}

/**
 * Splits values into classes with round edges. Values of both signs have a scale with zero in its middle: classes of equal
 * width on both sides.
 */
export function classify(values: readonly number[]): Classes {
  if (values.length === 0) return { classes: [], isDiverging: false };
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  const isDiverging = low < 0 && high > 0;
  if (isDiverging) {
    const { interval } = niceScale([0, Math.max(-low, high)], 3);
    const classes = [-3, -2, -1, 0, 1, 2]
      .map((step) => ({ from: step * interval, to: (step + 1) * interval, colour: step < 0 ? step + 3 : step + 4 }))
      .map((each, index, all) => ({
        ...each,
        from: index === 0 ? Math.min(each.from, low) : each.from,
        to: index === all.length - 1 ? Math.max(each.to, high) : each.to,
      }));
    return { classes, isDiverging };
  }
  if (low === high) return { classes: [{ from: low, to: high, colour: 3 }], isDiverging };
  const { min, max, interval } = niceScale([low, high], MAX_CLASSES - 2, true);
  const count = Math.min(MAX_CLASSES, Math.max(1, Math.round((max - min) / interval)));
  const classes = Array.from({ length: count }, (_, index) => ({
    from: Number((min + index * interval).toPrecision(12)),
    to: index === count - 1 ? Math.max(max, high) : Number((min + (index + 1) * interval).toPrecision(12)),
    colour: count === 1 ? 3 : Math.round((index * (MAX_CLASSES - 1)) / (count - 1)),
  }));
  return { classes, isDiverging };
}
