import { expect, test } from 'vitest';
import { durationText, sizeText } from './quantity-text.ts';

test.each([
  [3_600_000, '1 hour'],
  [7_200_000, '2 hours'],
  [5_400_000, '90 minutes'],
  [60_000, '1 minute'],
  [86_400_000, '1 day'],
  [1_000, '1 second'],
  [1_500, '1500 ms'],
  [0, '0 ms'],
])('%d ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  [33_554_432, '32 MB'],
  [2_147_483_648, '2 GB'],
  [32_768, '32 KB'],
  [1_000, '1000 bytes'],
  [1, '1 byte'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
