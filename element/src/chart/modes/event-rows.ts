import { MIN_WIDTH_OF_END_LABELS } from '../../limits.ts';
import { MEAN_CHARACTER_WIDTH } from '../legend.ts';
import type { ChartSize } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';

/** Height of a row of words above a chart, in CSS pixels. */
export const EVENT_ROW_HEIGHT = 15;
/** Share of a chart's height that the words of events may take. */
const MAX_SHARE_OF_HEIGHT = 0.35;
/** Estimated widths beside the plot, in CSS pixels: the labels of the axis, and names at the ends of lines. */
const BESIDE = { labels: 50, ends: 120, margin: 12 };
/** Widest words of an event as a share of the chart; longer ones are cut. */
const MAX_WORDS_SHARE = 0.6;
const GAP = 10;

/** An event on the axis of categories. */
export interface PlacedEvent {
  readonly words: string;
  /** Its place along the axis, 0 to 1. */
  readonly share: number;
}

/** Where the words of an event stand above its line. */
export interface EventWords {
  /** Row above the chart, 0 for the lowest. */
  readonly row: number;
  readonly align: 'left' | 'center' | 'right';
  /** CSS pixels. */
  readonly maxWidth: number;
  /** Where the words begin, from the side of the axis of values, in CSS pixels. */
  readonly start: number;
}

/**
 * Stacks the words of events that are too close together for one row: each has the lowest row where it covers no other.
 * Events beyond the room of the chart share its highest row.
 */
export function stackEvents(
  events: readonly PlacedEvent[],
  { width, height }: ChartSize,
  { fontSize, isRtl }: Pick<ChartTheme, 'fontSize' | 'isRtl'>,
): readonly EventWords[] {
  const maxWidth = Math.floor(width * MAX_WORDS_SHARE);
  const most = Math.max(1, Math.floor((height * MAX_SHARE_OF_HEIGHT) / EVENT_ROW_HEIGHT));
  const room = Math.max(60, width - BESIDE.labels - BESIDE.margin);
  // Lines are closest together where names stand at the ends of lines.
  const least = Math.max(60, room - (width < MIN_WIDTH_OF_END_LABELS ? 0 : BESIDE.ends));
  const ends: number[] = [];
  const placed = new Map<number, EventWords>();
  const inOrder = events.map((event, index) => ({ ...event, index })).sort((a, b) => a.share - b.share);
  for (const { words, share, index } of inOrder) {
    const wide = Math.min(maxWidth, words.length * fontSize * MEAN_CHARACTER_WIDTH * 1.1);
    const x = BESIDE.labels + share * room;
    const align = x + wide / 2 > width - 2 ? 'right' : x - wide / 2 < 2 ? 'left' : 'center';
    const before = { left: 0, center: wide / 2, right: wide }[align];
    const begin = share * least - before;
    const free = ends.findIndex((end) => end + GAP <= begin);
    const row = free >= 0 ? free : Math.min(ends.length, most - 1);
    ends[row] = begin + wide;
    const turned = { left: 'right', center: 'center', right: 'left' } as const;
    placed.set(index, { row, align: isRtl ? turned[align] : align, maxWidth, start: x - before });
  }
  return events.map((_, index) => placed.get(index) ?? { row: 0, align: 'center', maxWidth, start: 0 });
}
