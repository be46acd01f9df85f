/** Labels of the next periods of a time level, in the form of its members' captions. */
import type { TimeAxis } from '../../../analytics/index.ts';

/** A member's caption, and its period as text if its names contain one: `2024-03`, `2024-Q1`, `2024`. */
export interface NamedPeriod {
  readonly caption: string;
  readonly period: string | undefined;
}

/** The number of periods in a cycle. Captions at the same index of a cycle differ only in the year. */
const CYCLES: Readonly<Record<string, number>> = { year: 1, quarter: 4, month: 12 };

/** Replaces the year in a caption. No caption contains it. */
const YEAR = '\u0000';

/**
 * Returns the axis with labels for the next periods. If a member of the period exists, the label is its caption.
 * Otherwise it is the caption of the same month or quarter of other years, with the year replaced. If captions follow
 * no such rule, labels are the periods as text.
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
    // The captions follow no rule, such as names of campaigns.
    if (forms.has(place) && forms.get(place) !== form) return axis;
    forms.set(place, form);
  }
  const labelAt = (position: number): string | undefined => {
    const period = axis.labelAt(position);
    const year = yearOf(period);
    if (period === undefined || year === undefined) return period;
    return captions.get(period) ?? forms.get(period.replace(year, ''))?.replaceAll(YEAR, year);
  };
  // An axis must not mix two forms of labels.
  return forms.size === cycle ? { ...axis, labelAt } : axis;
}

/**
 * Returns the axis with labels for the next periods, if the axis only has an order: the members after its last one in
 * the order of the level.
 */
export function continuedAxis(axis: TimeAxis, size: number, ahead: readonly string[]): TimeAxis {
  return { ...axis, labelAt: (position) => ahead[position - size] ?? axis.labelAt(position) };
}

function yearOf(period: string | undefined): string | undefined {
  return /\d{4}/.exec(period ?? '')?.[0];
}
