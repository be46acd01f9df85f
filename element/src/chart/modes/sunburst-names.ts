import { labelWidth } from '../axes.ts';
import type { ChartSize } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import { fitName } from './fit-name.ts';

/** Radius of the hole and of the edge, as shares of half the chart. */
export const HOLE = 0.18;
export const EDGE = 0.96;
const PADDING = 3;

/** Returns the height of a line of a name in a sector, in CSS pixels. */
export function lineHeightOf({ fontSize }: ChartTheme): number {
  return fontSize + 1;
}

interface Sector<S> {
  readonly name: string;
  readonly value: number | undefined;
  readonly children: ReadonlyMap<string, S>;
}

/**
 * Returns the names that fit upright into their sectors, on several lines or cut where they are too long. The sectors begin at the top.
 */
export function fitNames<S extends Sector<S>>(
  roots: Iterable<S>,
  levels: number,
  { width, height }: ChartSize,
  theme: ChartTheme,
): ReadonlyMap<S, string> {
  const names = new Map<S, string>();
  const radius = Math.min(width, height) / 2;
  const ring = (radius * (EDGE - HOLE)) / levels;
  const font = { ...theme, fontSize: theme.fontSize - 1 };
  const sum = (sector: S): number =>
    sector.children.size === 0
      ? (sector.value ?? 0)
      : [...sector.children.values()].reduce((all, each) => all + sum(each), 0);
  const all = [...roots];
  const whole = all.reduce((total, each) => total + sum(each), 0);
  const place = (sectors: Iterable<S>, begin: number, inner: number): void => {
    let from = begin;
    for (const sector of sectors) {
      const to = from + (sum(sector) / whole) * 2 * Math.PI;
      const room = { from, to, inner, outer: inner + ring };
      const text = fitName(sector.name, (lines) =>
        fits(labelWidth(lines, font) + PADDING, lines.length * lineHeightOf(theme) + PADDING - 2, room),
      );
      if (text !== undefined) names.set(sector, text.replaceAll('{', '{\u2060'));
      place(sector.children.values(), from, inner + ring);
      from = to;
    }
  };
  place(all, 0, radius * HOLE);
  return names;
}

interface Room {
  readonly from: number;
  readonly to: number;
  readonly inner: number;
  readonly outer: number;
}

/** Returns whether a box in the middle of a sector is inside it. */
function fits(width: number, height: number, { from, to, inner, outer }: Room): boolean {
  const [middle, angle] = [(inner + outer) / 2, (from + to) / 2];
  const [x, y] = [middle * Math.sin(angle), middle * Math.cos(angle)];
  const nearest = Math.hypot(Math.max(0, Math.abs(x) - width / 2), Math.max(0, Math.abs(y) - height / 2));
  if (nearest < inner) return false;
  const half = (to - from) / 2;
  return [-1, 1].every((sideways) =>
    [-1, 1].every((upwards) => {
      const [cornerX, cornerY] = [x + (sideways * width) / 2, y + (upwards * height) / 2];
      const turn = Math.abs(Math.atan2(cornerX, cornerY) - angle);
      return Math.hypot(cornerX, cornerY) <= outer && Math.min(turn, Math.abs(turn - 2 * Math.PI)) <= half;
    }),
  );
}
