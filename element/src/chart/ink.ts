import { mixColours, readColour } from './mix-colours.ts';

const INKS = ['#ffffff', '#000000'] as const;

/**
 * Returns the colour of words on a coloured ground: white or black, whichever has the higher contrast by WCAG 2.2, which is at least 4.5:1.
 *
 * @param opacity of the ground on the surface
 */
export function inkOn(ground: string, { surface }: { readonly surface: string }, opacity: number = 1): string {
  const [light, dark] = INKS;
  const lightness = luminance(mixColours(surface, ground, opacity));
  return 1.05 / (lightness + 0.05) >= (lightness + 0.05) / (luminance(dark) + 0.05) ? light : dark;
}

/** Computes the relative luminance, 0 for black to 1 for white. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (readColour(colour) ?? []).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
