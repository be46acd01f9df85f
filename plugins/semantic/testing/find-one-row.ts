import { expect } from 'vitest';
import type { Fixture } from './fixture.ts';

/** Counts the rows of the table `things` that filters keep together. */
export async function countThings(fixture: Fixture, filters: readonly object[]): Promise<unknown> {
  return (await fixture.table({ values: [{ metric: 'things' }], filters: [...filters] }))[0]?.[0];
}

/**
 * Expects that filters find one row of the table `things`, each alone and the same one. It takes two questions: in one, each filter must find the
 * row; in the other, none may find another row. Where they fail, each filter is asked alone, so that the failure names it.
 */
export async function expectOneRow(fixture: Fixture, filters: readonly object[]): Promise<void> {
  const together = await countThings(fixture, filters);
  if (together === 1 && (await countThings(fixture, [{ any: filters }])) === 1) return;
  for (const filter of filters) expect([filter, await countThings(fixture, [filter])]).toEqual([filter, 1]);
  expect.fail('The filters find a row each, and not the same one.');
}
