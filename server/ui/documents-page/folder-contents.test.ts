import { expect, test } from 'vitest';
import type { DocumentEntry } from '../documents/document-entries.ts';
import { folderContents } from './folder-contents.ts';

const entry = (path: string, title = path): DocumentEntry => ({ path, title, kind: 'query', updatedAt: new Date(0) });
const ENTRIES = [
  entry('shared/a.service', 'Sales by region'),
  entry('shared/demo/b.service', 'Stock'),
  entry('shared/demo/deep/c.service', 'Sales by month'),
  entry('homes/ann/d.service'),
];

test('a folder shows its folders with their documents counted, and its own documents', () => {
  expect(folderContents(ENTRIES, [], '')).toEqual({
    folders: [
      { name: 'homes', count: 1 },
      { name: 'shared', count: 3 },
    ],
    documents: [],
  });
  const shared = folderContents(ENTRIES, ['shared'], '');
  expect(shared.folders).toEqual([{ name: 'demo', count: 2 }]);
  expect(shared.documents.map(({ title }) => title)).toEqual(['Sales by region']);
});

test('a search finds documents of all folders below by the words of title and path', () => {
  const titles = (folder: string[], text: string) =>
    folderContents(ENTRIES, folder, text).documents.map(({ title }) => title);
  expect(titles([], 'sales')).toEqual(['Sales by region', 'Sales by month']);
  expect(titles(['shared', 'demo'], 'SALES deep')).toEqual(['Sales by month']);
  expect(titles(['homes'], 'sales')).toEqual([]);
});
