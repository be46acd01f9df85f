import { describe, expect, test } from 'vitest';
import { mixColours } from '../src/chart/mix-colours.ts';
import { DIVERGING, type Mix, PALETTE, SEQUENTIAL, SHADES } from '../src/chart/theme.ts';
import { contrast, linearLight } from './contrast.ts';

type Triple = readonly [number, number, number];

const times = (matrix: readonly Triple[], [a, b, c]: Triple): Triple => {
  const [x = 0, y = 0, z = 0] = matrix.map((row) => row[0] * a + row[1] * b + row[2] * c);
  return [x, y, z];
};

/** Converts linear light to CIELAB under D65. */
function lab(light: Triple): Triple {
  const [x, y, z] = times(
    [
      [0.4124, 0.3576, 0.1805],
      [0.2126, 0.7152, 0.0722],
      [0.0193, 0.1192, 0.9505],
    ],
    light,
  );
  const f = (t: number): number => (t > (6 / 29) ** 3 ? Math.cbrt(t) : t / (3 * (6 / 29) ** 2) + 4 / 29);
  const [fx, fy, fz] = [f(x / 0.95047), f(y), f(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** Machado, Oliveira and Fernandes 2009, severity 1, on linear light. */
const SIGHTS: Readonly<Record<string, readonly Triple[]>> = {
  'normal sight': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

describe('the series of a chart', () => {
  for (const [sight, matrix] of Object.entries(SIGHTS)) {
    test(`are distinguishable under ${sight}: any two are at least 16 units of CIELAB apart`, () => {
      const seen = PALETTE.map((colour) => lab(times(matrix, linearLight(colour))));
      const distances = seen.flatMap((a, index) =>
        seen.slice(index + 1).map((b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])),
      );
      expect(distances).toHaveLength(28);
      expect(Math.min(...distances)).toBeGreaterThanOrEqual(16);
    });
  }

  test('have a contrast of at least 3:1 with the light and the dark ground', () => {
    for (const colour of PALETTE) {
      for (const ground of ['#ffffff', '#171b22']) {
        expect(contrast(colour, ground), `${colour} on ${ground}`).toBeGreaterThanOrEqual(3);
      }
    }
  });
});

/** The text and the ground of each theme, and the grey of its notes. */
const THEMES = {
  light: { text: '#1c2530', muted: '#5b6673', ground: '#ffffff' },
  dark: { text: '#e6ebf1', muted: '#9aa6b4', ground: '#171b22' },
} as const;

describe.each(Object.entries(THEMES))('the mixed colours of the %s theme', (_, { text, muted, ground }) => {
  const mixed = (mixes: readonly Mix[]) =>
    mixes.map(({ from, share }) => mixColours(from === 'muted' ? muted : (PALETTE[from] ?? ''), text, share));
  test('have a contrast of at least 3:1 with the ground', () => {
    for (const colour of mixed([...SHADES, ...SEQUENTIAL, ...DIVERGING]))
      expect(contrast(colour, ground), colour).toBeGreaterThanOrEqual(3);
  });

  for (const [sight, matrix] of Object.entries(SIGHTS)) {
    const seen = (mixes: readonly Mix[]) => mixed(mixes).map((colour) => lab(times(matrix, linearLight(colour))));
    const distance = (a: Triple | undefined, b: Triple | undefined): number =>
      a && b ? Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) : 0;

    test(`are ordered by lightness from low to high under ${sight}`, () => {
      const lightness = seen(SEQUENTIAL).map(([l]) => l);
      const steps = lightness.slice(1).map((l, index) => Math.abs(l - (lightness[index] ?? 0)));
      expect(new Set(lightness.slice(1).map((l, index) => Math.sign(l - (lightness[index] ?? 0)))).size).toBe(1);
      expect(Math.min(...steps)).toBeGreaterThanOrEqual(2);
    });

    test(`tell below from above under ${sight}: no two colours of a diverging scale are alike`, () => {
      const colours = seen(DIVERGING);
      const distances = colours.flatMap((a, index) => colours.slice(index + 1).map((b) => distance(a, b)));
      expect(Math.min(...distances)).toBeGreaterThanOrEqual(6);
      expect(distance(colours[0], colours.at(-1))).toBeGreaterThanOrEqual(16);
    });
  }
});
