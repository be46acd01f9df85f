/** What the next periods of a time level are called: as its members are, which a report shows by their captions. */
import type { TimeAxis } from '../../../analytics/index.ts';

/** Member as a report shows it, and its period as text where its names contain one: `2024-03`, `2024-Q1`, `2024`. */
export interface NamedPeriod {
  readonly caption: string;
  readonly period: string | undefined;
}

/** Members of a cycle: captions of the same place in it differ by the year at most. */
const CYCLES: Readonly<Record<string, number>> = { year: 1, quarter: 4, month: 12 };

/** Replaces the year in a caption; no caption contains it. */
const YEAR = '\u0000';

/**
 * Has an axis of periods name what comes next by the captions of its members: that of the member where there is one
 * already, else that of the same month or quarter of other years, with its year. Where captions follow no such rule,
 * periods stay texts.
 */
export function captionedAxis(axis: TimeAxis, members: Iterable<NamedPeriod>): TimeAxis {
  const cycle = CYCLES[axis.grain];
  if (cycle === undefined) return axis;
  const captions = new Map<string, string>();
  const forms = new Map<string, string>();
  for (const { caption, period } of members) {
    const year = yearOf(period);
    if (period === undefined || year === undefined) return axis;
    captions.set(period, caption);
    const place = period.replace(year, '');
    const form = caption.replaceAll(year, YEAR);
    // Captions that follow no rule, such as names of campaigns.
    if (forms.has(place) && forms.get(place) !== form) return axis;
    forms.set(place, form);
  }
  const labelAt = (position: number): string | undefined => {
    const period = axis.labelAt(position);
    const year = yearOf(period);
    if (period === undefined || year === undefined) return period;
    return captions.get(period) ?? forms.get(period.replace(year, ''))?.replaceAll(YEAR, year);
  };
  // Half of the labels in one writing and half in another would be no axis.
  return forms.size === cycle ? { ...axis, labelAt } : axis;
}

/**
 * Names the next periods of an axis that only has an order: they are the members behind its last one, in the order of the
 * level.
 */
export function continuedAxis(axis: TimeAxis, size: number, ahead: readonly string[]): TimeAxis {
  return { ...axis, labelAt: (position) => ahead[position - size] ?? axis.labelAt(position) };
}

function yearOf(period: string | undefined): string | undefined {
  return /\d{4}/.exec(period ?? '')?.[0];
}
