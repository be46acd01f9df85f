import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contrast } from './contrast.ts';
import { type Stage, withScene } from './gallery/picture.ts';
import { SCENES, type Scene } from './gallery/scenes.ts';
import { bundledElement, openChromium } from './host-page.ts';

let stage: Stage;
beforeAll(async () => {
  stage = { browser: await openChromium(), files: await bundledElement() };
});
afterAll(() => stage?.browser.close());

function scene(name: string): Scene {
  const found = SCENES.find((each) => each.name === name);
  if (!found) throw new Error(`There is no scene ${name}.`);
  return found;
}

/** Grounds of host pages: both ends, the middle, a dark and a loud colour. */
const GROUNDS = ['#ffffff', '#000000', '#808080', '#0a3d62', '#ffd500', '#b3261e'];

/** Lists each text of the element outside its drawings with its colour and the nearest ground behind it. */
function textsOnGround(): readonly { readonly text: string; readonly colour: string; readonly ground: string }[] {
  const root = document.querySelector('service-embed')?.shadowRoot;
  if (!root) throw new Error('There is no element.');
  const hex = (colour: string) => {
    const [red = '0', green = '0', blue = '0'] = colour.match(/[\d.]+/g) ?? [];
    return `#${[red, green, blue].map((channel) => Number(channel).toString(16).padStart(2, '0')).join('')}`;
  };
  const groundOf = (element: Element | null): string => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!/rgba\(.*, 0\)|transparent/.test(backgroundColor)) return hex(backgroundColor);
    }
    return hex(getComputedStyle(document.body).backgroundColor);
  };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: { text: string; colour: string; ground: string }[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = node.textContent?.trim() ?? '';
    if (!parent || text === '' || parent.closest('svg, style, .visually-hidden, [popover]')) continue;
    texts.push({ text, colour: hex(getComputedStyle(parent).color), ground: groundOf(parent) });
  }
  return texts;
}

describe('a dashboard on a page of any colour', () => {
  for (const name of ['dashboard-tiles', 'dashboard-filters', 'dashboard-clicked'])
    test.each(['light', 'dark'] as const)(`${name}, %s: each text has a contrast of 4.5`, async (theme) => {
      await withScene(stage, scene(name), theme, async (page) => {
        for (const ground of GROUNDS) {
          await page.evaluate((colour) => {
            document.body.style.background = colour;
          }, ground);
          const texts = await page.evaluate(textsOnGround);
          expect(texts.length).toBeGreaterThan(4);
          expect(
            texts.filter((each) => contrast(each.colour, each.ground) < 4.5),
            ground,
          ).toEqual([]);
        }
      });
    });
});
