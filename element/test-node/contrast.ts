/** Returns the linear light of the channels of `#rrggbb`, by IEC 61966-2-1. */
export function linearLight(hex: string): readonly [number, number, number] {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** Returns the contrast of two colours, by WCAG 2.2. */
export function contrast(a: string, b: string): number {
  const luminance = (colour: string): number => {
    const [r, g, b] = linearLight(colour);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}
