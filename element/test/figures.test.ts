import { expect } from '@open-wc/testing';
import '../src/index.ts';
import { PALETTE } from '../src/chart/theme.ts';
import { CHART_MODES } from '../src/generated/closed-lists.ts';
import { answer, cell, dimension, metric } from './answers.ts';
import { all, clearPage, drawn, inside, placeAnswered, readSeries } from './embed-dom.ts';
import { answerBody, ascending, CASES, hasColumns, randomNumbers, SURFACES } from './figure-cases.ts';
import { Network } from './network.ts';
import {
  distanceFromProportion,
  distanceFromScale,
  paintedBars,
  paintedLine,
  paintedPoints,
} from './painted-figures.ts';

/** Rows of an answer in a browser; `test-node/chart-figures.test.ts` draws many more. */
const MAX_ROWS = 60;

describe('the figures behind the marks in a browser are the figures of the answer', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  for (const mode of CHART_MODES)
    CASES[mode].forEach(({ columns, settings, row, sizes, drawn: figuresOf, expected }, at) => {
      for (const surface of SURFACES.filter((each) => hasColumns(each, columns)))
        it(`in a ${mode} of answer ${at + 1} of the ${surface} surface`, async () => {
          const random = randomNumbers(at + 17);
          const size = sizes.filter((each) => each <= MAX_ROWS).at(-1) ?? 1;
          const rows = Array.from({ length: size }, (_, index) => row(index, random));
          const element = await placeAnswered(network, answerBody(columns, rows, surface), {
            render: 'chart',
            mode,
            locale: 'en',
            ...(settings === undefined ? {} : { chart: JSON.stringify(settings) }),
          });
          const series = readSeries(await drawn(element));
          expect(ascending(figuresOf(series))).to.deep.equal(ascending(expected(rows)));
        });
    });
});

describe('the picture that a page exports', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  const [BLUE] = PALETTE;
  const day = (index: number) => new Date(Date.UTC(2000, 0, 1 + index)).toISOString().slice(0, 10);

  /** Draws random values, negative or missing in some places, and returns them with the exported picture. */
  async function exported(mode: string, count: number) {
    const random = randomNumbers(count * 31);
    const value = () =>
      random() < 0.1 ? null : (random() < 0.4 ? -1 : 1) * (10 + Math.round(random() * 99_000) / 100);
    const rows = Array.from({ length: count }, () => ({ x: value(), y: value() }));
    const written = (number: number | null) => cell(number, number === null ? null : `${number}`);
    const metrics = mode === 'scatter' ? [metric('x', 'X'), metric('y', 'Y')] : [metric('x', 'X')];
    const body = answer(
      [dimension('day', 'Day', 'date'), ...metrics],
      rows.map(({ x, y }, index) => ({ day: day(index), x: written(x), y: written(y) })),
    );
    const element = await placeAnswered(network, body, {
      render: 'chart',
      mode,
      locale: 'en',
      chart: JSON.stringify({ labels: 'none' }),
      style: '--service-embed-motion: 0s',
    });
    await drawn(element);
    const svg = await (await element.exportImage({ type: 'svg' })).text();
    expect(all(inside(element), '.chart svg path').length).to.equal(svg.match(/<path /g)?.length);
    return { rows, svg };
  }

  for (const count of [1, 12, 300]) {
    it(`has ${count} bars that are as high as their values`, async () => {
      const { rows, svg } = await exported('bar', count);
      const values = rows.flatMap(({ x }) => (x === null || x === 0 ? [] : [x]));
      const heights = paintedBars(svg, BLUE).map(({ height }) => height);
      expect(distanceFromProportion(values, heights)).to.be.below(1.01);
    });
  }

  for (const count of [12, 300]) {
    it(`has a line of ${count} points whose corners are at the heights of the values`, async () => {
      const { rows, svg } = await exported('line', count);
      const values = rows.flatMap(({ x }) => x ?? []);
      const heights = paintedLine(svg, BLUE).map(({ y }) => y);
      expect(distanceFromScale(values, heights)).to.be.below(1.01);
    });
  }

  it('has points at the places of their two values', async () => {
    const { rows, svg } = await exported('scatter', 60);
    const both = rows.flatMap(({ x, y }) => (x === null || y === null ? [] : [[x, y] as const]));
    const points = paintedPoints(svg, BLUE);
    expect(
      distanceFromScale(
        both.map(([x]) => x),
        points.map(({ x }) => x),
      ),
    ).to.be.below(1.01);
    expect(
      distanceFromScale(
        both.map(([, y]) => y),
        points.map(({ y }) => y),
      ),
    ).to.be.below(1.01);
  });
});
