import type { Page } from 'playwright';

export interface Difference {
  /** Width and height of the second picture as shares of the first. */
  readonly size: readonly [number, number];
  /** Mean difference of the blocks, from 0 (none) to 1 (black and white). */
  readonly mean: number;
  /** Share of blocks with a clearly different colour. */
  readonly changed: number;
}

/** CSS pixels: about half a line of text, so that letters of another shape give the same grey. */
const BLOCK = 12;
/** Difference of a colour channel, from 0 to 1, from which a block counts as different. */
const PLAIN = 0.16;

/**
 * Compares pictures by the mean colours of their blocks. It detects parts that are missing, moved by more than about a
 * line, or of another colour. It ignores hair lines, shapes of letters, and moves of a few pixels, which differ between
 * the fonts of machines. `page` is any page; it decodes the pictures.
 */
export function compare(page: Page, expected: Buffer, taken: Buffer): Promise<Difference> {
  const [a, b] = [expected, taken].map((png) => `data:image/png;base64,${png.toString('base64')}`);
  return page.evaluate(
    async ([first = '', second = '', block, plain]) => {
      const images = await Promise.all(
        [first, second].map(async (source) => createImageBitmap(await (await fetch(source)).blob())),
      );
      const [one, other] = images;
      if (!one || !other) throw new Error('Two pictures are compared.');
      // Scales the second picture to the size of the first, so that one more line at the top is not a difference
      // everywhere below.
      const means = images.map((image) => {
        const canvas = new OffscreenCanvas(one.width, one.height);
        const context = canvas.getContext('2d', { willReadFrequently: true });
        context?.drawImage(image, 0, 0, one.width, one.height);
        const pixels = context?.getImageData(0, 0, one.width, one.height).data ?? new Uint8ClampedArray();
        const columns = Math.ceil(one.width / block);
        // Red, green, blue and number of pixels of each block.
        const sums = new Float64Array(columns * Math.ceil(one.height / block) * 4);
        for (let y = 0, at = 0; y < one.height; y += 1) {
          let into = Math.floor(y / block) * columns * 4;
          for (let x = 0; x < one.width; x += block, into += 4) {
            const end = at + Math.min(block, one.width - x) * 4;
            let [red = 0, green = 0, blue = 0, count = 0] = sums.subarray(into, into + 4);
            for (; at < end; at += 4, count += 1) {
              red += pixels[at] ?? 0;
              green += pixels[at + 1] ?? 0;
              blue += pixels[at + 2] ?? 0;
            }
            sums.set([red, green, blue, count], into);
          }
        }
        return Array.from({ length: sums.length / 4 }, (_, index) => {
          const [red = 0, green = 0, blue = 0, count = 1] = sums.subarray(index * 4, index * 4 + 4);
          return [red, green, blue].map((sum) => sum / count / 255);
        });
      });
      const distances = (means[0] ?? []).map((mean, index) =>
        Math.max(...mean.map((channel, at) => Math.abs(channel - (means[1]?.[index]?.[at] ?? 0)))),
      );
      return {
        size: [other.width / one.width, other.height / one.height] as const,
        mean: distances.reduce((sum, distance) => sum + distance, 0) / distances.length,
        changed: distances.filter((distance) => distance > plain).length / distances.length,
      };
    },
    [a ?? '', b ?? '', BLOCK, PLAIN] as const,
  );
}
