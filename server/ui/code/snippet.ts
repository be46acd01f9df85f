import type { Exhibit } from '../gallery/showcase.ts';

/** The HTML to paste into any page to see `exhibit` there. `origin` is this server's, as `https://example.com`. */
export function snippet(origin: string, { path, kind, render, mode, height }: Exhibit): string {
  const look =
    kind === 'dashboard'
      ? []
      : render === 'table'
        ? [['render', render]]
        : [
            ['render', render],
            ['mode', mode],
          ];
  const attributes = [
    ['server', origin],
    ['path', path],
    ['kind', kind],
    ...look,
    ...(height === '' ? [] : [['height', height]]),
  ];
  const written = attributes.map(([name = '', value = '']) => `\n  ${name}="${attributeText(value)}"`).join('');
  return `<script src="${attributeText(`${origin}/ui/service-embed.js`)}"></script>\n<service-embed${written}\n></service-embed>`;
}

/** Text as it is written between double quotes in HTML. */
export function attributeText(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
