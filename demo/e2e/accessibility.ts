/** Audits pages with axe. */
import { readFileSync } from 'node:fs';
import type { Frame, Page } from 'playwright';
import { expect } from 'vitest';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
/** Time in which a page settles, also on a busy machine. */
const SETTLING_LIMIT_MS = 60_000;

/**
 * Checks whether nothing is busy and every transition and finite animation has ended, also in shadow trees. What is busy is
 * pale, and half a fade has the contrast of neither end.
 */
const IS_SETTLED = `(() => {
  const trees = (root) => [root, ...[...root.querySelectorAll('*')].flatMap((each) => each.shadowRoot ? trees(each.shadowRoot) : [])];
  return trees(document).every((tree) => tree.querySelector('[aria-busy=true], [busy]') === null &&
    tree.getAnimations().every((each) => each.playState !== 'running' || each.effect?.getComputedTiming().endTime === Infinity));
})()`;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Returns the violations of a page or a frame once it has settled, each with the elements that it was found at. */
export async function violations(page: Page | Frame): Promise<readonly string[]> {
  await expect.poll(() => page.evaluate(IS_SETTLED), { timeout: SETTLING_LIMIT_MS }).toBe(true);
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { run } = Reflect.get(globalThis, 'axe') as { run(): Promise<{ violations: Violation[] }> };
    return (await run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
}

/** Returns the violations of the page in both themes. Leaves it in the light one. */
export async function violationsInBothThemes(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const theme of ['dark', 'light']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    found.push(...(await violations(page)).map((each) => `${theme} ${each}`));
  }
  return found;
}
