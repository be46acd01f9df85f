import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare } from './gallery/compare.ts';
import { NO_PAPER, PAPER_PAGES, takePaper } from './gallery/paper-pages.ts';
import { type Stage, THEMES, type Theme, takePicture, withScene } from './gallery/picture.ts';
import { SCENES, type Scene } from './gallery/scenes.ts';
import { bundledElement, openChromium } from './host-page.ts';

const GALLERY = new URL('../../docs/gallery/', import.meta.url);
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Maximum differences of a picture: its mean difference, and the share of clearly different blocks. See `compare`. */
const ALLOWED = { mean: 0.0015, changed: 0.0005 };

let stage: Stage;
let page: Page;
beforeAll(async () => {
  stage = { browser: await openChromium(), files: await bundledElement(), idle: [] };
  page = await stage.browser.newPage();
});
afterAll(() => stage?.browser.close());

function reference({ name }: Scene, theme: Theme): Buffer {
  return readFileSync(new URL(`${name}-${theme}.png`, GALLERY));
}

function scene(name: string): Scene {
  const scene = SCENES.find((each) => each.name === name);
  if (!scene) throw new Error(`There is no scene ${name}.`);
  return scene;
}

/** Lists axe's findings for the element, by rule. */
async function axeViolations(of: Page): Promise<readonly string[]> {
  await of.evaluate(AXE);
  return of.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(on: string): Promise<{ violations: readonly { id: string; nodes: readonly { html: string }[] }[] }> };
    };
    const { violations } = await axe.run('service-embed');
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}

describe('every state, in light and in dark', () => {
  for (const each of SCENES) {
    for (const theme of THEMES) {
      test.concurrent(`${each.name} in ${theme} is accessible and looks like its picture`, async ({
        expect: expected,
      }) => {
        const { taken, violations } = await withScene(stage, each, theme, async (opened) => ({
          taken: await takePicture(opened),
          violations: await axeViolations(opened),
        }));
        expected(violations).toEqual([]);
        const { size, mean, changed } = await compare(page, reference(each, theme), taken);
        expected(size[0]).toBe(1);
        expected(size[1]).toBe(1);
        expected(mean, 'mean difference').toBeLessThanOrEqual(ALLOWED.mean);
        expected(changed, 'share that is plainly of another colour').toBeLessThanOrEqual(ALLOWED.changed);
      });
    }
  }
});

describe('documents on paper', () => {
  for (const each of PAPER_PAGES) {
    const need = NO_PAPER === undefined ? '' : ` [not run: ${NO_PAPER}]`;
    test.skipIf(NO_PAPER !== undefined)(`${each.name} looks like its picture${need}`, async () => {
      const expected = readFileSync(new URL(`${each.name}.png`, GALLERY));
      const { size, mean, changed } = await compare(page, expected, await takePaper(each));
      expect(size.map(Math.round)).toEqual([1, 1]);
      expect(mean, 'mean difference').toBeLessThanOrEqual(ALLOWED.mean);
      expect(changed, 'share that is plainly of another colour').toBeLessThanOrEqual(ALLOWED.changed);
    });
  }
});

describe('the comparison of pictures', () => {
  test('sees the other theme, and another chart', async () => {
    const bars = reference(scene('bar'), 'light');
    for (const other of [reference(scene('bar'), 'dark'), reference(scene('pie'), 'light')]) {
      const { changed } = await compare(page, bars, other);
      expect(changed).toBeGreaterThan(200 * ALLOWED.changed);
    }
  });

  test('sees a tooltip and three empty cells', async () => {
    for (const [a, b] of [
      ['bar', 'tooltip'],
      ['table', 'suppressed'],
    ] as const) {
      const { mean, changed } = await compare(page, reference(scene(a), 'light'), reference(scene(b), 'light'));
      expect(mean).toBeGreaterThan(ALLOWED.mean);
      expect(changed).toBeGreaterThan(ALLOWED.changed);
    }
  });

  test('sees another font', async () => {
    const css = 'service-embed { --service-embed-font: serif; }';
    for (const name of ['table', 'bar']) {
      const taken = await withScene(stage, { ...scene(name), css }, 'light', takePicture);
      const { mean } = await compare(page, reference(scene(name), 'light'), taken);
      expect(mean).toBeGreaterThan(ALLOWED.mean);
    }
  });
});
