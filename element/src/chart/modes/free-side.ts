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

/** The place of words that are chosen already: along the line as shares, and their lower edge as a value. */
interface Words {
  readonly begin: number;
  readonly share: number;
  readonly from: number;
}

/** Counts more than all crossings of lines: words never cover words where another place is left. */
const COVERED = 1_000;

function beginOf(along: Side['along'], share: number): number {
  return { Start: 0, Middle: (1 - share) / 2, End: 1 - share }[along];
}

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
  const taken: Words[] = [];
  const lineHeight = (theme.fontSize + 4) * ((max - min) / Math.max(40, size.height - LABELS.height));
  /** Counts the places along the words that a line crosses. */
  const crossings = (from: number, words: string, along: Side['along']): number => {
    const share = shareOf(words);
    const begin = beginOf(along, share);
    const hits = lines.flatMap((line) =>
      Array.from({ length: STEPS + 1 }, (_, step) => heightAt(line, begin + (share * step) / STEPS)).filter(
        (value) => value !== undefined && value >= from && value <= from + lineHeight,
      ),
    );
    const covers = (other: Words) =>
      begin < other.begin + other.share && other.begin < begin + share && Math.abs(other.from - from) < lineHeight;
    return hits.length + (taken.some(covers) ? COVERED : 0);
  };
  const shareOf = (words: string): number =>
    (words.length * theme.fontSize * MEAN_CHARACTER_WIDTH + 8) / Math.max(60, size.width - LABELS.width);
  const freest = (of: readonly Side[], fromOf: (side: Side) => number, words: string): Side => {
    const { side } = of.reduce(
      (best, each) => {
        const count = crossings(fromOf(each), words, each.along);
        return count < best.count ? { side: each, count } : best;
      },
      { side: of[0] ?? ({ along: 'End', isUpper: true } as const), count: Number.POSITIVE_INFINITY },
    );
    const share = shareOf(words);
    if (words !== '') taken.push({ begin: beginOf(side.along, share), share, from: fromOf(side) });
    return side;
  };
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
