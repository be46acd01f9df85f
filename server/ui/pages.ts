/**
 * The pages of the service. The entries of the build, the navigation, the addresses that commands print and the table in
 * `docs/reference/pages.md` are made from this table. The HTML of a page has its `title`; `pages.test.ts` compares them.
 */

interface Page {
  /** The address below the base path of the server; its HTML is `server/ui/<folder>/index.html`. */
  readonly path: `/ui/${string}`;
  /** The title of the browser's tab. */
  readonly title: string;
  /** The link in the navigation; absent where the page has no link. */
  readonly link?: string;
  /** The users that the page shows data to. Everybody may load every page. */
  readonly users: 'anybody' | 'signed-in';
  /** One sentence for the documentation. */
  readonly purpose: string;
}

export const PAGES = {
  home: {
    path: '/ui/',
    title: 'service',
    link: 'Home',
    users: 'anybody',
    purpose: 'Shows the embeds of the demo. Signed-in users see their documents, administrators also the datasources.',
  },
  'add-data': {
    path: '/ui/add-data/',
    title: 'Add data · service',
    link: 'Add data',
    users: 'signed-in',
    purpose: 'Proposes a model for files or a database, and publishes it.',
  },
  api: {
    path: '/ui/api/',
    title: 'API reference · service',
    link: 'API reference',
    users: 'anybody',
    purpose: 'Lists all operations, and sends requests.',
  },
  view: {
    path: '/ui/view/',
    title: 'service',
    users: 'signed-in',
    purpose: 'Shows one saved query or dashboard: `?path=shared/shop/overview.servicedash`.',
  },
} as const satisfies Readonly<Record<string, Page>>;

export type PageName = keyof typeof PAGES;

export const PAGE_LIST: readonly (Page & { readonly name: PageName })[] = Object.entries(PAGES).map(([name, page]) => ({
  name: name as PageName,
  ...page,
}));

/** Returns the source of a page's HTML, from the root of the repository. */
export function pageSource({ path }: Pick<Page, 'path'>): string {
  return `server${path}index.html`;
}
