import { describe, expect, test } from 'vitest';
import { PALETTE } from '../src/chart/theme.ts';

type Triple = readonly [number, number, number];

/** Returns the linear light of the channels of `#rrggbb`, by IEC 61966-2-1. */
function linear(hex: string): Triple {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

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
      const seen = PALETTE.map((colour) => lab(times(matrix, linear(colour))));
      const distances = seen.flatMap((a, index) =>
        seen.slice(index + 1).map((b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])),
      );
      expect(distances).toHaveLength(28);
      expect(Math.min(...distances)).toBeGreaterThanOrEqual(16);
    });
  }

  test('have a contrast of at least 3:1 with the light and the dark ground', () => {
    const luminance = (colour: string): number => {
      const [r, g, b] = linear(colour);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    for (const colour of PALETTE) {
      for (const ground of ['#ffffff', '#171b22']) {
        const [dark = 0, light = 0] = [luminance(colour), luminance(ground)].sort((a, b) => a - b);
        expect((light + 0.05) / (dark + 0.05), `${colour} on ${ground}`).toBeGreaterThanOrEqual(3);
      }
    }
  });
});
