import { expect, test } from 'vitest';
import type { DocumentEntry } from '../documents/document-entries.ts';
import { filterDocuments } from './filter-documents.ts';

const document = (title: string, path: string, kind: DocumentEntry['kind'] = 'query'): DocumentEntry => ({
  title,
  path,
  kind,
  updatedAt: new Date(0),
});
const DOCUMENTS = [
  document('Sales by région', 'shared/demo/sales.service'),
  document('Stock', 'homes/ana/stock.service'),
  document('Overview', 'shared/demo/overview.servicedash', 'dashboard'),
];
const matchingTitles = (search: string) => filterDocuments(DOCUMENTS, search).map(({ title }) => title);

test.each([
  ['', ['Sales by région', 'Stock', 'Overview']],
  ['  ', ['Sales by région', 'Stock', 'Overview']],
  ['REGION', ['Sales by région']],
  ['demo sales', ['Sales by région']],
  ['sales stock', []],
  ['homes/ana', ['Stock']],
  ['dashboard', ['Overview']],
])('"%s" finds %j', (search, titles) => {
  expect(matchingTitles(search)).toEqual(titles);
});
