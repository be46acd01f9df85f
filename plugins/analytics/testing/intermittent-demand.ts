/** Draws series of intermittent demand from known processes. */
import { normalQuantile } from '../numeric/normal.ts';
import { randomGenerator } from '../numeric/random.ts';
import type { TestSeries } from './processes.ts';

const KINDS = ['steady', 'ending', 'rising', 'clustered'] as const;

/**
 * Draws `count` series of each kind: demands of 1 and more, in 15 to 60 % of the periods. The probability of a demand stays,
 * falls to a third, doubles, or follows whether there was a demand before.
 */
export function drawIntermittent(length: number, horizon: number, count: number, seed: number): readonly TestSeries[] {
  const random = randomGenerator(seed);
  return KINDS.flatMap((kind) =>
    Array.from({ length: count }, () => {
      const values = draw(kind, length + horizon, random);
      return { train: values.slice(0, length), test: values.slice(length) };
    }),
  );
}

function draw(kind: (typeof KINDS)[number], length: number, random: () => number): Float64Array {
  const usual = 0.15 + 0.45 * random();
  const size = 1 + 9 * random();
  const spread = 0.2 + 0.6 * random();
  let before = false;
  return Float64Array.from({ length }, (_, t) => {
    const share = t / length;
    const probability = {
      steady: usual,
      ending: usual * (1 - (2 / 3) * share),
      rising: usual * (0.5 + 0.5 * share),
      clustered: before ? Math.min(0.8, usual + 0.3) : usual * 0.7,
    }[kind];
    before = random() < probability;
    return before ? Math.max(1, Math.round(size * Math.exp(spread * normalQuantile(random())))) : 0;
  });
}
