import { expect } from '@open-wc/testing';
import '../src/index.ts';
import { answer, cell, dimension, metric } from './answers.ts';
import { all, clearPage, drawn, inside, one, placeAnswered } from './embed-dom.ts';
import { Network } from './network.ts';

const NAMES = ['Lighting', 'Furniture for living rooms', 'Textiles', 'Kitchen', 'Garden', 'Office', 'Toys', 'Storage'];

/** Creates an answer of all combinations of members, with figures of very different sizes. */
const crossed = (levels: number, members: number) => {
  const combine = (rest: number): readonly (readonly number[])[] =>
    rest === 0
      ? [[]]
      : combine(rest - 1).flatMap((head) => Array.from({ length: members }, (_, member) => [...head, member]));
  return answer(
    [
      ...Array.from({ length: levels }, (_, level) => dimension(`d${level}`, `Level ${level}`)),
      metric('m', 'Net sales'),
    ],
    combine(levels).map((path) => ({
      ...Object.fromEntries(
        path.map((member, level) => [`d${level}`, `${NAMES[member % NAMES.length]} ${level}${member}`]),
      ),
      m: cell(10_000 / path.reduce((product, member) => product * (member + 1) ** 2, 1), 'x'),
    })),
  );
};

describe('the names in a chart', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  const chart = async (body: unknown, mode: string, width: number) => {
    const element = await placeAnswered(network, body, { render: 'chart', mode, locale: 'en', height: '320px' });
    element.style.width = `${width}px`;
    await drawn(element);
    // The chart draws again in its new width.
    await new Promise((done) => setTimeout(done, 400));
    return element;
  };
  const named = (element: Element) =>
    all(inside(element), '.chart svg text').filter((text) => (text.textContent ?? '').trim() !== '');
  const isUpright = (text: Element): boolean => {
    const { b, c } = text instanceof SVGGraphicsElement ? (text.getScreenCTM() ?? { b: 1, c: 1 }) : { b: 1, c: 1 };
    return b === 0 && c === 0;
  };

  for (const width of [320, 640])
    for (const mode of ['sunburst', 'treemap', 'sankey', 'bar', 'line', 'heatmap', 'radar', 'pie', 'stacked-bar'])
      it(`are upright in a ${mode} of ${width} pixels`, async () => {
        const element = await chart(crossed(2, 6), mode, width);
        const texts = named(element);
        expect(texts).not.to.have.length(0);
        expect(texts.filter((text) => !isUpright(text)).map((text) => text.textContent)).to.deep.equal([]);
      });

  it('are in their sectors in a sunburst', async () => {
    const element = await chart(crossed(2, 6), 'sunburst', 320);
    const box = one(inside(element), '.chart svg').getBoundingClientRect();
    const radius = Math.min(box.width, box.height) / 2;
    const ring = (radius * 0.8) / 2;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    for (const text of named(element)) {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      const distances = [left, right].flatMap((a) => [top, bottom].map((b) => Math.hypot(a - x, b - y)));
      const level = Math.floor((Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y) - radius * 0.16) / ring);
      // A glyph's box is a little higher than its letters.
      expect(Math.max(...distances), text.textContent ?? '').to.be.below(radius * 0.16 + ring * (level + 1) + 3);
      expect(Math.min(...distances), text.textContent ?? '').to.be.above(radius * 0.16 + ring * level - 3);
    }
  });

  for (const [levels, members] of [
    [2, 8],
    [2, 30],
    [3, 6],
    [4, 5],
  ] as const)
    it(`do not overlap in a sankey diagram of 320 pixels with ${levels} levels of ${members} members`, async () => {
      const element = await chart(crossed(levels, members), 'sankey', 320);
      const boxes = named(element).map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
      expect(boxes).to.have.length(levels * members);
      // Boxes of lines of text touch; their letters are a pixel apart.
      const overlaps = boxes.flatMap((a, at) =>
        boxes
          .slice(at + 1)
          .filter(
            (b) =>
              a.box.left < b.box.right &&
              b.box.left < a.box.right &&
              a.box.top + 1 < b.box.bottom - 1 &&
              b.box.top + 1 < a.box.bottom - 1,
          )
          .map((b) => `${a.text} / ${b.text}`),
      );
      expect(overlaps).to.deep.equal([]);
      const edge = one(inside(element), '.chart svg').getBoundingClientRect();
      for (const { text, box } of boxes) expect(box.right, text ?? '').to.be.at.most(edge.right + 1);
    });
});
