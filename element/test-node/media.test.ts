import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stage, takePicture, withScene } from './gallery/picture.ts';
import { SCENES, type Scene } from './gallery/scenes.ts';
import { bundledElement, openChromium } from './host-page.ts';

let stage: Stage;
beforeAll(async () => {
  stage = { browser: await openChromium(), files: await bundledElement() };
});
afterAll(() => stage?.browser.close());

function scene(name: string): Scene {
  const scene = SCENES.find((each) => each.name === name);
  if (!scene) throw new Error(`There is no scene ${name}.`);
  return scene;
}

const readStyle = (page: Page, selector: string, property: string): Promise<string> =>
  page
    .locator(`service-embed ${selector}`)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

describe('where the system has colours of its own (forced-colors)', () => {
  const forced = { forcedColors: 'active' } as const;

  test('skeletons, frames and the chosen row are still to be seen', async () => {
    await withScene(
      stage,
      scene('loading'),
      'light',
      async (page) => {
        const ground = await readStyle(page, '.surface', 'background-color');
        expect(await readStyle(page, '.skeleton i', 'background-color')).not.toBe(ground);
      },
      forced,
    );
    await withScene(
      stage,
      scene('table-sorted'),
      'light',
      async (page) => {
        const ground = await readStyle(page, 'tbody tr:not(.chosen) td', 'background-color');
        expect(await readStyle(page, 'tr.chosen td', 'background-color')).not.toBe(ground);
        const frame = await readStyle(page, '.surface', 'border-top-color');
        expect(frame).toBe(await readStyle(page, '.surface', 'color'));
      },
      forced,
    );
  });

  test('the words of a chart have a colour of the system, and its series keep theirs', async () => {
    await withScene(
      stage,
      scene('bar'),
      'dark',
      async (page) => {
        const system = await readStyle(page, '.surface', 'color');
        const words = await page
          .locator('service-embed .chart svg text')
          .evaluateAll((all) => [...new Set(all.map((each) => getComputedStyle(each).fill))]);
        expect(words).toEqual([system]);
        const fills = await page
          .locator('service-embed .chart svg path')
          .evaluateAll((all) => all.map((each) => getComputedStyle(each).fill));
        expect(fills).toContain('rgb(47, 111, 184)');
      },
      forced,
    );
  });

  test.each([
    ['kind-stacked-bar', 3],
    ['kind-small-pies', 8],
  ])('the marks of %s differ by patterns too', async (name, count) => {
    await withScene(
      stage,
      scene(name),
      'dark',
      async (page) => {
        const chart = page.locator('service-embed .chart').first();
        const patterns = await chart.locator('svg pattern').evaluateAll((all) =>
          all.map(({ id, children: [group] }) => {
            const [ground, lines] = [...(group?.children ?? [])].map((each) => each.getAttribute.bind(each));
            return { id, colour: ground?.('fill'), lines: lines?.('d'), width: lines?.('stroke-width') };
          }),
        );
        // The first colour is plain, each of the next six has its own lines, and the eighth is plain again.
        expect(new Set(patterns.map(({ lines }) => lines)).size).toBe(Math.min(count - 1, 6));
        expect(new Set(patterns.map(({ colour }) => colour)).size).toBe(count - 1 - (count > 7 ? 1 : 0));
        const fills = await chart
          .locator('svg path')
          .evaluateAll((all) => all.map((each) => each.getAttribute('fill')));
        for (const { id } of patterns) expect(fills).toContain(`url(#${id})`);
      },
      forced,
    );
  });

  test('no mark has a pattern where the system forces no colours', async () => {
    await withScene(stage, scene('kind-stacked-bar'), 'dark', async (page) => {
      expect(await page.locator('service-embed .chart svg pattern').count()).toBe(0);
    });
  });
});

describe('on paper', () => {
  test('a scrolling table is printed whole, without its pointer controls', async () => {
    await withScene(stage, { ...scene('table'), attributes: { height: '160px' } }, 'light', async (page) => {
      const lastRow = page.locator('service-embed tbody tr').last();
      const readBottom = async (): Promise<number> => {
        const box = await page.locator('service-embed .surface').boundingBox();
        return (box?.y ?? 0) + (box?.height ?? 0);
      };
      const onScreen = await lastRow.boundingBox();
      expect(onScreen?.y).toBeGreaterThan(await readBottom());
      await page.emulateMedia({ media: 'print' });
      const onPaper = await lastRow.boundingBox();
      expect((onPaper?.y ?? 0) + (onPaper?.height ?? 0)).toBeLessThanOrEqual(await readBottom());
      expect(await readStyle(page, '.grip', 'display')).toBe('none');
    });
  });

  test('a dark dashboard keeps its ground under its light words', async () => {
    await withScene(stage, scene('dashboard'), 'dark', async (page) => {
      await page.emulateMedia({ media: 'print' });
      expect(await readStyle(page, '.tile', 'print-color-adjust')).toBe('exact');
      expect(await readStyle(page, '.toggle', 'display')).toBe('none');
      const pdf = await page.pdf({ printBackground: false });
      expect(pdf.length).toBeGreaterThan(10_000);
    });
  });
});

test('nothing moves where the visitor wants no motion', async () => {
  await withScene(stage, scene('dashboard'), 'light', async (page) => {
    const moving = await page.evaluate(() =>
      (document.querySelector('service-embed')?.shadowRoot?.getAnimations() ?? []).map(
        (each) => each.effect?.getComputedTiming().duration,
      ),
    );
    expect(moving.filter((duration) => Number(duration) > 1)).toEqual([]);
    const [before, after] = [await takePicture(page), await takePicture(page)];
    expect(after.equals(before)).toBe(true);
  });
});

describe('where the visitor wants no motion', () => {
  /** Lists the longest animation and transition below the element, in milliseconds. */
  const longestMotion = (page: Page): Promise<number> =>
    page.evaluate(() => {
      const root = document.querySelector('service-embed')?.shadowRoot;
      const all = [...(root?.querySelectorAll('*') ?? [])].flatMap((element) =>
        [undefined, '::before', '::after'].flatMap((pseudo) => {
          const { animationName, animationDuration, transitionDuration } = getComputedStyle(element, pseudo);
          return [animationName === 'none' ? '0s' : animationDuration, transitionDuration];
        }),
      );
      return Math.max(...all.flatMap((list) => list.split(',').map((each) => Number.parseFloat(each) * 1_000)));
    });

  test.each(['loading', 'dashboard-filters'])('nothing of %s moves', async (name) => {
    // A transition of 1 ms tells charts of another theme; nobody sees it.
    await withScene(
      stage,
      scene(name),
      'light',
      async (page) => expect(await longestMotion(page)).toBeLessThanOrEqual(1),
      {
        reducedMotion: 'reduce',
      },
    );
    await withScene(
      stage,
      scene(name),
      'light',
      async (page) => expect(await longestMotion(page)).toBeGreaterThan(100),
      {
        reducedMotion: 'no-preference',
      },
    );
  });
});
