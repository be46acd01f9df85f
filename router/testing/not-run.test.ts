import { expect, test } from 'vitest';
import { needOf, titleNeeding } from './not-run.ts';

test('the title of a skipped test contains what the test needs, and any other title is unchanged', () => {
  expect(needOf(`suite ${titleNeeding('of FoodMart', 'its data: set FOODMART_DIR (a folder)')} total`)).toBe(
    'its data: set FOODMART_DIR (a folder)',
  );
  expect(titleNeeding('of FoodMart', undefined)).toBe('of FoodMart');
  expect(needOf('of FoodMart')).toBeUndefined();
});
