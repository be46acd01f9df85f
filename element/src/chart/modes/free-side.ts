import { axisNumber } from '../clamp-to-axis.ts';
import type { FramePanel } from '../frame.ts';
import { MEAN_CHARACTER_WIDTH } from '../legend.ts';
import { niceScale } from '../nice-scale.ts';
import type { ChartSize } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';

/** A place of words: where along a line or band, and at its upper or its lower side. */
interface Side {
  readonly along: 'Start' | 'Middle' | 'End';
  readonly isUpper: boolean;
}

/** The sides that words may be on, the usual one first. */
const OF_LINE = sides('End', 'Start', 'Middle');
const OF_BAND = sides('Start', 'End', 'Middle');
const BAND_SIDES = { Start: 'Left', Middle: '', End: 'Right' } as const;

function sides(...places: readonly Side['along'][]): readonly Side[] {
  return [true, false].flatMap((isUpper) => places.map((along) => ({ along, isUpper })));
}

/** Width of the labels of the axis and height of those below, in CSS pixels. */
const LABELS = { width: 60, height: 60 };

/** Chooses where words beside lines cover no mark of a panel. */
export interface FreeSides {
  /** Returns the position of words above or below a line at a value. */
  readonly ofLine: (value: number, words: string) => string;
  /** Returns the position of words within a band, at its upper or its lower edge. */
  readonly ofBand: (from: number, to: number, words: string) => string;
}

/** Positions along the words at which the lines are read. */
const STEPS = 8;

/** Reads the marks of a panel. Words are as wide as their letters usually are, and positions are estimates. */
export function findFreeSides({ series }: FramePanel, size: ChartSize, theme: ChartTheme): FreeSides {
  const lines = series.map(({ cells }) => cells.map(axisNumber));
  const { min, max } = niceScale(
    lines.flat().flatMap((value) => value ?? []),
    4,
  );
  const lineHeight = (theme.fontSize + 4) * ((max - min) / Math.max(40, size.height - LABELS.height));
  /** Counts the places along the words that a line crosses. */
  const crossings = (from: number, words: string, along: Side['along']): number => {
    const share = (words.length * theme.fontSize * MEAN_CHARACTER_WIDTH + 8) / Math.max(60, size.width - LABELS.width);
    const begin = { Start: 0, Middle: (1 - share) / 2, End: 1 - share }[along];
    const hits = lines.flatMap((line) =>
      Array.from({ length: STEPS + 1 }, (_, step) => heightAt(line, begin + (share * step) / STEPS)).filter(
        (value) => value !== undefined && value >= from && value <= from + lineHeight,
      ),
    );
    return hits.length;
  };
  const freest = (of: readonly Side[], beginOf: (side: Side) => number, words: string): Side =>
    of.reduce(
      (best, side) => {
        const count = crossings(beginOf(side), words, side.along);
        return count < best.count ? { side, count } : best;
      },
      { side: of[0] ?? { along: 'End', isUpper: true }, count: Number.POSITIVE_INFINITY },
    ).side;
  return {
    ofLine(value, words) {
      const { along, isUpper } = freest(OF_LINE, (side) => (side.isUpper ? value : value - lineHeight), words);
      return `inside${along}${isUpper ? 'Top' : 'Bottom'}`;
    },
    ofBand(from, to, words) {
      const [bottom, top] = [Math.min(from, to), Math.max(from, to)];
      const { along, isUpper } = freest(OF_BAND, (side) => (side.isUpper ? top - lineHeight : bottom), words);
      return `inside${isUpper ? 'Top' : 'Bottom'}${BAND_SIDES[along]}`;
    },
  };
}

/** Returns the height of a line at a share of its length. */
function heightAt(line: readonly (number | undefined)[], share: number): number | undefined {
  const place = Math.min(1, Math.max(0, share)) * (line.length - 1);
  const [before, after] = [line[Math.floor(place)], line[Math.ceil(place)]];
  return before === undefined || after === undefined ? undefined : before + (after - before) * (place % 1);
}
