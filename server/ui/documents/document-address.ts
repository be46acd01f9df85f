import { withBasePath } from '../api-client/base-path.ts';
import { PAGES } from '../pages.ts';

/** Returns the address of a document's page without the base path. */
export function documentPagePath(path: string): string {
  return `${PAGES.view.path}?path=${encodeURIComponent(path)}`;
}

/** Returns the address of a document's page. */
export function documentAddress(path: string): string {
  return withBasePath(documentPagePath(path));
}
