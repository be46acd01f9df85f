import { addressBelow, withBasePath } from '../api-client/base-path.ts';
import { PAGES } from '../pages.ts';

const { path: DOCUMENTS } = PAGES['documents-page'];

/** Returns the address of a document's page without the base path. */
export function documentPagePath(path: string): string {
  return DOCUMENTS + path.split('/').map(encodeURIComponent).join('/');
}

/** Returns the address of a document's page: `/ui/documents/shared/shop/overview.servicedash`. */
export function documentAddress(path: string): string {
  return addressBelow(DOCUMENTS, path.split('/'));
}

/** Returns the address of the explorer with a saved query. */
export function exploreAddress(path: string): string {
  return withBasePath(`${PAGES.explore.path}?open=${encodeURIComponent(path)}`);
}
