import { expect, it } from 'vitest';
import { noteViewer, viewerComment, withViewer } from './present-viewer.ts';

it('a comment names the viewer of its own request, and of no other', async () => {
  const commentOf = (id: string | undefined) =>
    withViewer(async () => {
      noteViewer(id);
      await Promise.resolve();
      return viewerComment();
    });
  expect(await Promise.all(['u-17', undefined, 'ann@shop.example'].map(commentOf))).toEqual([
    '/* viewer: u-17 */',
    undefined,
    '/* viewer: ann@shop.example */',
  ]);
  expect(viewerComment()).toBeUndefined();
});

it('a comment cannot be ended by the name of a viewer', () => {
  withViewer(() => {
    noteViewer("*/; DROP TABLE x; -- ?$1\n!'".padEnd(300, 'z'));
    expect(viewerComment()).toMatch(/^\/\* viewer: [\w.@:-]{100} \*\/$/);
  });
});
