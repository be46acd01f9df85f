/** The addresses of the page: `/ui/data/<datasource id>/<tab>/<item>`. */

export const TABS = [
  'overview',
  'datasets',
  'metrics',
  'relationships',
  'access',
  'questions',
  'document',
  'history',
] as const;
export type Tab = (typeof TABS)[number];

export interface Place {
  /** The id of the datasource. */
  readonly id: string;
  readonly tab: Tab;
  /** A dataset, a metric, a relationship or a version; empty for none. */
  readonly item: string;
}

const ROOT = '/ui/data/';

/** Returns the place of an address; an unknown tab is the overview. */
export function placeOf(pathname: string): Place {
  const at = pathname.lastIndexOf(ROOT);
  const parts = at === -1 ? [] : pathname.slice(at + ROOT.length).split('/');
  const [id = '', tab = '', item = ''] = parts.map(decoded);
  return { id, tab: TABS.find((each) => each === tab) ?? 'overview', item };
}

/** Returns the path of a place, without the base path of the server. */
export function pathOf({ id, tab, item }: Place): string {
  const parts = tab === 'overview' && item === '' ? [id] : [id, tab, ...(item === '' ? [] : [item])];
  return `${ROOT}${parts.map(encodeURIComponent).join('/')}${parts.length === 1 ? '/' : ''}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray percent sign: the part is not encoded.
    return part;
  }
}
