import { expect, test } from 'vitest';
import { TreeCopy } from '../../scripts/testing/tree-copy.ts';

test('a chart mode that is added does not compile until each place that has to know it does', () => {
  const tree = new TreeCopy('added-chart-mode', [
    'element/src',
    'router/ascii-json.ts',
    'router/chart-modes.ts',
    'server/ui/share/appearance.ts',
    'server/ui/code',
    'server/ui/api-client',
    'server/ui/documents',
    'server/ui/words',
  ]);
  const files = ['element/src', 'server/ui/share/appearance.ts'];
  expect(tree.errorsIn(files)).toEqual([]);
  tree.replace('element/src/generated/closed-lists.ts', "'map',\n", "'map',\n  'spiral',\n");
  tree.replace('router/chart-modes.ts', "'map',\n", "'map',\n  'spiral',\n");
  expect(tree.errorsIn(files)).toEqual([
    expect.stringMatching(/^element\/src\/chart\/modes\/all-modes\.ts: Property 'spiral' is missing in type/),
    expect.stringMatching(/^element\/src\/chart\/modes\/can-draw\.ts: Property 'spiral' is missing in type/),
    expect.stringMatching(/^server\/ui\/share\/appearance\.ts: Property 'spiral' is missing in type/),
  ]);
}, 240_000);

test('a kind of tile that is added does not compile until each place that has to know it does', () => {
  const tree = new TreeCopy('added-tile-kind', ['element/src', 'router', 'plugins']);
  const files = ['element/src', 'plugins/repository/documents/dashboard.ts'];
  expect(tree.errorsIn(files)).toEqual([]);
  tree.replace('element/src/generated/closed-lists.ts', "'filter']", "'filter', 'map']");
  tree.replace('router/tile-kinds.ts', "'filter']", "'filter', 'map']");
  expect(tree.errorsIn(files)).toEqual([
    expect.stringMatching(/^element\/src\/dashboard\/parse-dashboard\.ts: Function lacks ending return statement/),
    expect.stringMatching(/^plugins\/repository\/documents\/dashboard\.ts: Property 'map' is missing in type/),
  ]);
}, 240_000);
