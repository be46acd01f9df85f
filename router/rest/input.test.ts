import { expect, test } from 'vitest';
import { uploadedFile } from './input.ts';

test.each([
  [255, true],
  [256, false],
])('a file with a name of %i characters is taken: %s', (length, isTaken) => {
  const file = { name: 'a'.repeat(length), path: '/uploads/1', size: 1 };
  expect(uploadedFile.safeParse(file).success).toBe(isTaken);
});

test('what is no file is refused with what to send', () => {
  expect(uploadedFile.safeParse('orders.csv').error?.issues[0]?.message).toContain('multipart/form-data');
});
