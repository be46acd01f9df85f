/** The names of areas and pages in the visitor's language, and the links to them. */
import type { TemplateResult } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { AREAS, type Area, PAGE_LIST, type PageName } from '../pages.ts';
import { adminIcon, dataIcon, developIcon, documentsIcon, exploreIcon, homeIcon } from '../styles/icons.ts';
import { msg } from '../words/words.ts';
import { isOperator, type SessionUser } from './session.ts';

/** The looks of each area's link in the rail. */
const AREA_LOOKS: Readonly<Record<Area, { readonly title: string; readonly icon: TemplateResult }>> = {
  home: { title: msg('Home'), icon: homeIcon },
  data: { title: msg('Data'), icon: dataIcon },
  explore: { title: msg('Explore'), icon: exploreIcon },
  documents: { title: msg('Documents'), icon: documentsIcon },
  develop: { title: msg('Develop'), icon: developIcon },
  admin: { title: msg('Admin'), icon: adminIcon },
};

/** The names of the pages that the search offers; undefined for a page that is reached from others. */
const PAGE_TITLES: Readonly<Record<PageName, string | undefined>> = {
  home: msg('Home'),
  gallery: msg('Gallery'),
  data: msg('Data'),
  'add-data': msg('Add data'),
  explore: msg('Explore'),
  'documents-page': msg('Documents'),
  'develop-keys': msg('API keys'),
  'develop-tokens': msg('Embed tokens'),
  'develop-webhooks': msg('Webhooks'),
  'develop-agents': msg('Agents'),
  api: msg('API reference'),
  'admin-users': msg('Users'),
  'admin-audit': msg('Audit log'),
  'admin-queries': msg('Queries'),
  'admin-system': msg('Health'),
  'admin-tenants': msg('Tenants'),
  authorize: undefined,
  model: undefined,
  view: undefined,
  'sign-in': undefined,
  'not-found': undefined,
};

export interface PageLink {
  readonly name: PageName;
  readonly title: string;
  readonly address: string;
  readonly area: Area | undefined;
}

export interface AreaLink {
  readonly area: Area;
  readonly title: string;
  readonly icon: TemplateResult;
  readonly address: string;
}

/** Returns the links of the rail that a user may follow. */
export function areaLinks(user: SessionUser): readonly AreaLink[] {
  return AREAS.flatMap((area) => {
    const page = pagesFor(user).find((each) => each.area === area && each.below !== 'only');
    return page === undefined ? [] : [{ area, ...AREA_LOOKS[area], address: withBasePath(page.path) }];
  });
}

/** Returns the pages that the search offers to a user. */
export function pageLinks(user: SessionUser): readonly PageLink[] {
  return pagesFor(user).flatMap(({ name, path, area }) => {
    const title = PAGE_TITLES[name];
    return title === undefined ? [] : [{ name, title, address: withBasePath(path), area }];
  });
}

/** Returns the title of a page's tab in the visitor's language; undefined where the page finds its own. */
export function tabTitle(name: PageName): string | undefined {
  const title = {
    ...PAGE_TITLES,
    home: undefined,
    model: msg('Model'),
    'sign-in': msg('Sign in'),
    'not-found': msg('Not found'),
  }[name];
  return title === undefined ? undefined : `${title} · service`;
}

export function areaOf(name: PageName): Area | undefined {
  return PAGE_LIST.find((page) => page.name === name)?.area;
}

function pagesFor(user: SessionUser) {
  return PAGE_LIST.filter(({ users }) => {
    if (users === 'operators') return user?.administrator === true && isOperator(user);
    return users !== 'administrators' || user?.administrator === true;
  });
}
