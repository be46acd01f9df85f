import type { Page } from 'playwright';

export interface Difference {
  /** Width and height of the second picture as shares of the first. */
  readonly size: readonly [number, number];
  /** Mean difference of the blocks, from 0 (none) to 1 (black and white). */
  readonly mean: number;
  /** Share of the blocks that are plainly of another colour. */
  readonly changed: number;
}

/** CSS pixels: about half a line of text, so that letters of another shape are the same grey. */
const BLOCK = 12;
/** Difference of a colour channel, of 1, from which a block is plainly another. */
const PLAIN = 0.16;

/**
 * Compares pictures by the mean colours of their blocks. It sees what is missing, in another place by more than about a
 * line, or of another colour; it does not see hair lines, the shape of letters, or movements of a few pixels, which differ
 * between the fonts of machines. `page` is any page; the pictures are decoded in it.
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
      // The second in the size of the first, so that a line more at the top is not a difference of all below it.
      const means = images.map((image) => {
        const canvas = new OffscreenCanvas(one.width, one.height);
        const context = canvas.getContext('2d', { willReadFrequently: true });
        context?.drawImage(image, 0, 0, one.width, one.height);
        const pixels = context?.getImageData(0, 0, one.width, one.height).data ?? new Uint8ClampedArray();
        const columns = Math.ceil(one.width / block);
        const sums = Array.from({ length: columns * Math.ceil(one.height / block) }, () => [0, 0, 0, 0]);
        for (let at = 0; at < pixels.length; at += 4) {
          const x = (at / 4) % one.width;
          const y = Math.floor(at / 4 / one.width);
          const sum = sums[Math.floor(y / block) * columns + Math.floor(x / block)] ?? [];
          for (let channel = 0; channel < 3; channel += 1)
            sum[channel] = (sum[channel] ?? 0) + (pixels[at + channel] ?? 0);
          sum[3] = (sum[3] ?? 0) + 1;
        }
        return sums.map(([red = 0, green = 0, blue = 0, count = 1]) =>
          [red, green, blue].map((sum) => sum / count / 255),
        );
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
