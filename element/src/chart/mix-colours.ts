/** Mixes two colours in sRGB: `share` of `b`, the rest of `a`. Returns `a` where one of them cannot be read. */
export function mixColours(a: string, b: string, share: number): string {
  const [from, to] = [readColour(a), readColour(b)];
  if (from === undefined || to === undefined) return a;
  const channels = from.map((channel, index) => Math.round(channel + ((to[index] ?? channel) - channel) * share));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Reads the red, green and blue of `#rrggbb` or `rgb()`, each 0 to 255; undefined for another notation. */
export function readColour(text: string): readonly number[] | undefined {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (hex) return hex.slice(1).map((channel) => Number.parseInt(channel, 16));
  const rgb = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(text);
  return rgb ? rgb.slice(1).map(Number) : undefined;
}
