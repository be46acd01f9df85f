/** The page that a sign-in returns to. */
import { withBasePath } from '../api-client/base-path.ts';
import { PAGES } from '../pages.ts';

const NEXT = 'next';

/** Returns the address of the sign-in page, which leads back to this page. */
export function signInAddress({ pathname, search, hash }: Location = location): string {
  return `${withBasePath(PAGES['sign-in'].path)}?${new URLSearchParams({ [NEXT]: pathname + search + hash })}`;
}

/** Returns the page in `?next=`. Another site, or another part of this one, is no page: the home page then. */
export function returnAddress({ origin, search }: Pick<Location, 'origin' | 'search'> = location): string {
  const home = withBasePath(PAGES.home.path);
  const next = new URLSearchParams(search).get(NEXT);
  if (next === null || !URL.canParse(next, origin)) return home;
  const url = new URL(next, origin);
  if (url.origin !== origin || !url.pathname.startsWith(home)) return home;
  return url.pathname + url.search + url.hash;
}
