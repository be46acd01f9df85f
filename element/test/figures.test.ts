import { expect } from '@open-wc/testing';
import '../src/index.ts';
import { CHART_MODES } from '../src/generated/closed-lists.ts';
import { clearPage, drawn, placeAnswered, readSeries } from './embed-dom.ts';
import { answerBody, ascending, CASES, hasColumns, randomNumbers, SURFACES } from './figure-cases.ts';
import { Network } from './network.ts';

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
