import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { functionTable } from './table.ts';

it('docs/mdx.md lists the functions there are', async () => {
  const page = await readFile(new URL('../../../../docs/mdx.md', import.meta.url), 'utf8');
  expect(page).toContain(functionTable());
});
