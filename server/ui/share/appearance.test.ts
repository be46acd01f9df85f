import { expect, test } from 'vitest';
import { choosePageColour, DEFAULT_APPEARANCE, parseHeight, toEmbed } from './appearance.ts';

test.each([
  ['', undefined],
  ['320', 320],
  ['119', undefined],
  ['2001', undefined],
  ['320.5', undefined],
  ['1px; position: fixed', undefined],
])('a height of "%s" is %s', (typed, pixels) => {
  expect(parseHeight(typed)).toBe(pixels);
});

test('without a chosen colour the page has the colours of the theme, and of the system where the theme follows the system', () => {
  const light = choosePageColour(DEFAULT_APPEARANCE, 'dark');
  const dark = choosePageColour({ ...DEFAULT_APPEARANCE, theme: 'dark' }, 'light');
  expect(light).not.toBe(dark);
  expect(choosePageColour({ ...DEFAULT_APPEARANCE, theme: 'auto' }, 'dark')).toBe(dark);
  expect(choosePageColour({ ...DEFAULT_APPEARANCE, theme: 'auto' }, 'light')).toBe(light);
  expect(choosePageColour({ ...DEFAULT_APPEARANCE, theme: 'dark', page: '#ffeecc' }, 'dark')).toBe('#ffeecc');
});

test("a height is written in pixels, and no height is the element's default", () => {
  const embed = { kind: 'query', path: 'a.service' } as const;
  expect(toEmbed(embed, { ...DEFAULT_APPEARANCE, height: 320 }, undefined).height).toBe('320px');
  expect(toEmbed(embed, DEFAULT_APPEARANCE, undefined).height).toBe('');
});
