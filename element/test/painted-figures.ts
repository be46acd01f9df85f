/** Reads the figures back from a painted chart: its bars, points and corners of lines, in CSS pixels. */

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Box extends Place {
  readonly width: number;
  readonly height: number;
}

const NUMBER = /-?\d+(?:\.\d+)?(?:e-?\d+)?/g;

/** Lists the corners of a path. Arcs and curves end in corners. */
function corners(path: string): readonly Place[] {
  const places: Place[] = [];
  let [x, y] = [0, 0];
  for (const [, command = '', text = ''] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = (text.match(NUMBER) ?? []).map(Number);
    const size = { M: 2, L: 2, l: 2, C: 6, A: 7 }[command];
    if (size === undefined) continue;
    for (let at = size; at <= numbers.length; at += size) {
      const [dx = 0, dy = 0] = numbers.slice(at - 2, at);
      [x, y] = command === 'l' ? [x + dx, y + dy] : [dx, dy];
      places.push({ x, y });
    }
  }
  return places;
}

/** Lists the attributes of the paths that have this colour as this property. */
function pathsOf(
  svg: string,
  property: 'fill' | 'stroke',
  colour: string,
): readonly Readonly<Record<string, string>>[] {
  return [...svg.matchAll(/<path ([^>]*)>/g)]
    .map(([, attributes = '']) =>
      Object.fromEntries(
        [...attributes.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
      ),
    )
    .filter((attributes) => attributes[property] === colour);
}

/** Lists the painted bars of a colour, from left to right, then from top to bottom. Bars without a length are none. */
export function paintedBars(svg: string, colour: string): readonly Box[] {
  return pathsOf(svg, 'fill', colour)
    .map(({ d = '' }) => {
      const [xs, ys] = [corners(d).map(({ x }) => x), corners(d).map(({ y }) => y)];
      const [left, top] = [Math.min(...xs), Math.min(...ys)];
      return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
    })
    .filter(({ width, height }) => width > 0.05 && height > 0.05)
    .sort((a, b) => a.x - b.x || a.y - b.y);
}

/** Lists the middles of the painted symbols of a colour. */
export function paintedPoints(svg: string, colour: string): readonly Place[] {
  return pathsOf(svg, 'fill', colour).flatMap(({ transform = '' }) => {
    const [, , , , x, y] = (/matrix\(([^)]*)\)/.exec(transform)?.[1]?.match(NUMBER) ?? []).map(Number);
    return x === undefined || y === undefined ? [] : [{ x, y }];
  });
}

/** Lists the corners of the painted line of a colour. */
export function paintedLine(svg: string, colour: string): readonly Place[] {
  return pathsOf(svg, 'stroke', colour)
    .filter(({ fill }) => fill === 'none')
    .flatMap(({ d = '' }) => corners(d));
}

/** Returns how far pixels are from a linear scale of their values, in pixels: 0 for an exact drawing. */
export function distanceFromScale(values: readonly number[], pixels: readonly number[]): number {
  if (values.length !== pixels.length) return Number.POSITIVE_INFINITY;
  const at = (find: (...numbers: readonly number[]) => number) => values.indexOf(find(...values));
  const [low, high] = [at(Math.min), at(Math.max)];
  const span = (values[high] ?? 0) - (values[low] ?? 0);
  if (span === 0) return 0;
  const [first, last] = [pixels[low] ?? 0, pixels[high] ?? 0];
  const expected = values.map((value) => first + ((value - (values[low] ?? 0)) / span) * (last - first));
  return Math.max(...expected.map((pixel, index) => Math.abs(pixel - (pixels[index] ?? Number.NaN))));
}

/** Returns how far the lengths of bars are from being in proportion to their values, in pixels. */
export function distanceFromProportion(values: readonly number[], lengths: readonly number[]): number {
  return distanceFromScale([0, ...values.map(Math.abs)], [0, ...lengths]);
}
