/**
 * The pages of the service. The entries of the build, the rail, the addresses that the server answers and commands print, and the table in
 * `docs/reference/pages.md` are made from this table. The HTML of a page has its `title`; `pages.test.ts` compares them.
 */

/** The areas of the rail, in their order. An area's link leads to the first of its pages below, and is absent without one. */
export const AREAS = ['home', 'data', 'explore', 'documents', 'develop', 'admin'] as const;
export type Area = (typeof AREAS)[number];

interface Page {
  /** The address below the base path of the server. */
  readonly path: `/ui/${string}`;
  /** Which addresses below `path` show this page: `also` shows it at `path` too, `only` leaves `path` to another page. Absent for none. */
  readonly below?: 'only' | 'also';
  /** The title of the browser's tab. */
  readonly title: string;
  /** The name of links to the page; absent where the address needs more than the path. */
  readonly link?: string;
  /** The area that the rail marks. */
  readonly area?: Area;
  /** The users that the page shows data to. Everybody may load every page. */
  readonly users: 'anybody' | 'signed-in' | 'administrators' | 'operators';
  /** One sentence for the documentation. */
  readonly purpose: string;
}

/** The keys are the folders: `server/ui/<key>/index.html`, and `server/ui/index.html` for the home page. */
export const PAGES = {
  home: {
    path: '/ui/',
    title: 'service',
    link: 'Home',
    area: 'home',
    users: 'anybody',
    purpose: 'Shows what you opened last, what is here and what to do next.',
  },
  gallery: {
    path: '/ui/gallery/',
    title: 'Gallery · service',
    link: 'Gallery',
    area: 'home',
    users: 'anybody',
    purpose: 'Shows the embeds of the demo, with the code for each, and three commands to begin with.',
  },
  data: {
    path: '/ui/data/',
    title: 'Data · service',
    link: 'Data',
    area: 'data',
    users: 'signed-in',
    purpose:
      'Lists models and cubes with their states, connections and uploads. Administrators replace data, and change and remove all of them.',
  },
  'add-data': {
    path: '/ui/add-data/',
    title: 'Add data · service',
    link: 'Add data',
    area: 'data',
    users: 'signed-in',
    purpose: 'Proposes a model for files or a database, and publishes it.',
  },
  model: {
    path: '/ui/data/',
    below: 'only',
    title: 'Model · service',
    area: 'data',
    users: 'signed-in',
    purpose: 'Describes the datasource in the address, and changes its semantic model.',
  },
  explore: {
    path: '/ui/explore/',
    below: 'also',
    title: 'Explore · service',
    link: 'Explore',
    area: 'explore',
    users: 'signed-in',
    purpose: 'Builds a query of a semantic model or a cube by clicks, and shows the answer: `/ui/explore/demo/shop`.',
  },
  'documents-page': {
    path: '/ui/documents/',
    below: 'also',
    title: 'Documents · service',
    link: 'Documents',
    area: 'documents',
    users: 'signed-in',
    purpose:
      'Lists saved queries, dashboards and ask boxes, and shows each at its own address, such as `/ui/documents/shared/shop/overview.servicedash`. Dashboards are arranged there (`?edit`).',
  },
  'develop-keys': {
    path: '/ui/develop/',
    title: 'API keys · service',
    link: 'API keys',
    area: 'develop',
    users: 'administrators',
    purpose:
      'Lists the API keys of the tenant, makes them with roles, attributes, scopes and an end, and revokes them.',
  },
  'develop-tokens': {
    path: '/ui/develop/tokens/',
    title: 'Embed tokens · service',
    link: 'Embed tokens',
    area: 'develop',
    users: 'signed-in',
    purpose:
      'Lists embed tokens with their last use, and public documents, and ends them. Administrators see the tokens of all users.',
  },
  'develop-webhooks': {
    path: '/ui/develop/webhooks/',
    title: 'Webhooks · service',
    link: 'Webhooks',
    area: 'develop',
    users: 'administrators',
    purpose:
      'Lists the webhooks of the tenant, adds, tests and pauses them, and shows their deliveries, each of which can be sent again.',
  },
  authorize: {
    path: '/ui/authorize/',
    title: 'Connect an agent · service',
    users: 'signed-in',
    purpose: 'Asks whether an agent may call in the name of the user. Agents send their users here.',
  },
  'develop-agents': {
    path: '/ui/develop/agents/',
    title: 'Agents · service',
    link: 'Agents',
    area: 'develop',
    users: 'anybody',
    purpose:
      'Shows how an agent calls this server over the Model Context Protocol, with the code for each client, and lists and disconnects the agents that users have allowed.',
  },
  api: {
    path: '/ui/api/',
    title: 'API reference · service',
    link: 'API reference',
    area: 'develop',
    users: 'anybody',
    purpose: 'Lists all operations, and sends requests.',
  },
  'admin-users': {
    path: '/ui/admin/',
    title: 'Users · service',
    link: 'Users',
    area: 'admin',
    users: 'administrators',
    purpose:
      'Lists the users of the tenant, adds them, changes roles and attributes, resets passwords, and disables users.',
  },
  'admin-audit': {
    path: '/ui/admin/audit/',
    title: 'Audit log · service',
    link: 'Audit log',
    area: 'admin',
    users: 'administrators',
    purpose: 'Shows the audit log of the tenant, filtered by kind, user, operation, outcome and day.',
  },
  'admin-queries': {
    path: '/ui/admin/queries/',
    title: 'Queries · service',
    link: 'Queries',
    area: 'admin',
    users: 'administrators',
    purpose: 'Lists the queries that run in warehouses, with a cancel, and the slow ones with their plans.',
  },
  'admin-system': {
    path: '/ui/admin/health/',
    title: 'Health · service',
    link: 'Health',
    area: 'admin',
    users: 'administrators',
    purpose: 'Shows the health of the service, its cache, asynchronous queries, and the spend on language models.',
  },
  'admin-tenants': {
    path: '/ui/admin/tenants/',
    title: 'Tenants · service',
    link: 'Tenants',
    area: 'admin',
    users: 'operators',
    purpose: 'Lists, adds and removes tenants.',
  },
  view: {
    path: '/ui/view/',
    title: 'service',
    users: 'signed-in',
    purpose: 'Shows one saved query or dashboard without actions: `?path=shared/shop/overview.servicedash`.',
  },
  'sign-in': {
    path: '/ui/sign-in/',
    title: 'Sign in · service',
    users: 'anybody',
    purpose: 'Signs a user in, and returns to the page in `?next=`.',
  },
  'not-found': {
    path: '/ui/not-found/',
    title: 'Not found · service',
    users: 'anybody',
    purpose: 'Appears at every other address below `/ui/`, and offers the search.',
  },
} as const satisfies Readonly<Record<string, Page>>;

export type PageName = keyof typeof PAGES;

export const PAGE_LIST: readonly (Page & { readonly name: PageName })[] = Object.entries(PAGES).map(([name, page]) => ({
  name: name as PageName,
  ...page,
}));

/** Returns the HTML of a page, from the folder of the pages: `add-data/index.html`. */
export function pageFile(name: PageName): string {
  return name === 'home' ? 'index.html' : `${name}/index.html`;
}

/** Returns the source of a page's HTML, from the root of the repository. */
export function pageSource(name: PageName): string {
  return `server/ui/${pageFile(name)}`;
}

/** Returns the page at an address below the base path, such as `/ui/documents/shared/`; undefined for none. A closer page wins. */
export function pageAt(path: string): PageName | undefined {
  let closest: (typeof PAGE_LIST)[number] | undefined;
  for (const page of PAGE_LIST) {
    const isAt = path === page.path && page.below !== 'only';
    const isBelow = page.below !== undefined && path.startsWith(page.path) && path !== page.path;
    if ((isAt || isBelow) && page.path.length > (closest?.path.length ?? 0)) closest = page;
  }
  return closest?.name;
}
