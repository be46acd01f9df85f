import { expect, test } from 'vitest';
import { embedOf, FIRST_LOOK, heightOf, pageColour } from './look.ts';

test.each([
  ['', undefined],
  ['320', 320],
  ['119', undefined],
  ['2001', undefined],
  ['320.5', undefined],
  ['1px; position: fixed', undefined],
])('a height of "%s" is %s', (typed, pixels) => {
  expect(heightOf(typed)).toBe(pixels);
});

test('without a colour of its own the page goes with the theme, and with the system where the theme does', () => {
  const light = pageColour(FIRST_LOOK, 'dark');
  const dark = pageColour({ ...FIRST_LOOK, theme: 'dark' }, 'light');
  expect(light).not.toBe(dark);
  expect(pageColour({ ...FIRST_LOOK, theme: 'auto' }, 'dark')).toBe(dark);
  expect(pageColour({ ...FIRST_LOOK, theme: 'auto' }, 'light')).toBe(light);
  expect(pageColour({ ...FIRST_LOOK, theme: 'dark', page: '#ffeecc' }, 'dark')).toBe('#ffeecc');
});

test('a height is written in pixels, none is the default of the element', () => {
  const of = { kind: 'query', path: 'a.service' } as const;
  expect(embedOf(of, { ...FIRST_LOOK, height: 320 }, undefined).height).toBe('320px');
  expect(embedOf(of, FIRST_LOOK, undefined).height).toBe('');
});
