/** A point with a name beside it, in CSS pixels. */
export interface NamedPoint {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Width of the name. */
  readonly width: number;
}

export type Side = 'right' | 'left' | 'top' | 'bottom';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const GAP = 5;
/** Room that the estimated widths of names may miss. */
const MARGIN = 3;

/**
 * Chooses the side of each name, so that it is within the chart and covers no other point or name; undefined where no side is
 * free. Larger points choose first.
 */
export function placeNames(
  points: readonly NamedPoint[],
  lineHeight: number,
  room: { readonly width: number; readonly height: number },
  sides: readonly Side[],
): readonly (Side | undefined)[] {
  const taken: (Box & { readonly point: number })[] = points.map(({ x, y, radius }, point) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
    point,
  }));
  const chosen = new Map<number, Side>();
  const order = points.map((_, point) => point).sort((a, b) => (points[b]?.radius ?? 0) - (points[a]?.radius ?? 0));
  for (const point of order) {
    const named = points[point];
    if (named === undefined) continue;
    const side = sides.find((each) => {
      const box = nameBox(named, each, lineHeight);
      return (
        box.left >= 0 &&
        box.right <= room.width &&
        box.top >= 0 &&
        box.bottom <= room.height &&
        taken.every((other) => other.point === point || !overlaps(box, other))
      );
    });
    if (side === undefined) continue;
    chosen.set(point, side);
    taken.push({ ...nameBox(named, side, lineHeight), point: -1 });
  }
  return points.map((_, point) => chosen.get(point));
}

function nameBox({ x, y, radius, width }: NamedPoint, side: Side, lineHeight: number): Box {
  const [wide, high] = [width + MARGIN, lineHeight];
  if (side === 'right' || side === 'left') {
    const left = side === 'right' ? x + radius + GAP : x - radius - GAP - wide;
    return { left, right: left + wide, top: y - high / 2, bottom: y + high / 2 };
  }
  const top = side === 'bottom' ? y + radius + GAP : y - radius - GAP - high;
  return { left: x - wide / 2, right: x + wide / 2, top, bottom: top + high };
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
