import { type ChartMode, findChartMode } from './chart-modes.ts';
import { MAX_REFRESH_SECONDS, MIN_REFRESH_SECONDS } from './limits.ts';

/** Contains the checked attributes of one element. A malformed value becomes the default. */
export interface Settings {
  readonly kind: 'query' | 'dashboard' | 'ai';
  readonly render: 'table' | 'chart' | 'kpi' | 'matrix';
  readonly mode: ChartMode | undefined;
  readonly theme: 'light' | 'dark' | 'auto';
  /** One CSS length. */
  readonly height: string;
  /** Undefined where the element does not refresh by itself. */
  readonly refreshSeconds: number | undefined;
  /** A BCP 47 tag; undefined for the browser's language. */
  readonly locale: string | undefined;
  /** An IANA name; undefined for the browser's time zone. */
  readonly timeZone: string | undefined;
  /** Keys of columns, for `render="kpi"`. */
  readonly measure: string | undefined;
  readonly compare: string | undefined;
  /** Key of the dimension whose members are the series of a chart. */
  readonly series: string | undefined;
  /** The settings of charts, unchecked: the charts part checks them. */
  readonly chart: unknown;
  /** What visitors may filter by; undefined where the page shows no filters. */
  readonly filters: string | undefined;
  /** Whether a click does what the document allows. */
  readonly drill: boolean;
  /** What visitors chose, unchecked: the part that shows filters checks it. */
  readonly filterState: unknown;
  /** Name of the parameter of the page's address that keeps the state. */
  readonly stateParam: string | undefined;
}

export interface RawSettings {
  readonly kind?: unknown;
  readonly render?: unknown;
  readonly mode?: unknown;
  readonly theme?: unknown;
  readonly height?: unknown;
  readonly refreshInterval?: unknown;
  readonly locale?: unknown;
  readonly timeZone?: unknown;
  readonly measure?: string | null | undefined;
  readonly compare?: string | null | undefined;
  readonly series?: string | null | undefined;
  readonly chart?: unknown;
  readonly filters?: unknown;
  readonly drill?: unknown;
  readonly filterState?: unknown;
  readonly stateParam?: string | null | undefined;
}

/** Reads the attributes of an element, and calls `warn` for each value that it does not understand. */
export function readSettings(raw: RawSettings, warn: (attribute: string, value: string) => void): Settings {
  const pick = <T>(
    property: keyof RawSettings,
    read: (text: string) => T | undefined,
    attribute: string = property,
  ): T | undefined => {
    const text = String(raw[property] ?? '').trim();
    if (text === '') return undefined;
    const setting = read(text);
    if (setting === undefined) warn(attribute, text);
    return setting;
  };
  // The first value is the default.
  const choice = <T extends string>(property: keyof RawSettings, allowed: readonly [T, ...T[]]): T =>
    pick(property, (text) => allowed.find((each) => each === text)) ?? allowed[0];
  return {
    kind: choice('kind', ['query', 'dashboard', 'ai']),
    render: choice('render', ['table', 'chart', 'kpi', 'matrix']),
    mode: pick('mode', findChartMode),
    theme: choice('theme', ['light', 'dark', 'auto']),
    // Accepts one valid value only: the height becomes part of a style, where `1px; position: fixed` would be two
    // declarations.
    height: pick('height', (text) => (CSS.supports('min-height', text) ? text : undefined)) ?? '400px',
    refreshSeconds: pick('refreshInterval', seconds, 'refresh-interval'),
    locale: pick('locale', localeTag),
    timeZone: pick('timeZone', zoneName, 'time-zone'),
    measure: raw.measure || undefined,
    compare: raw.compare || undefined,
    series: raw.series || undefined,
    chart: raw.chart || undefined,
    filters: listText(raw.filters),
    drill: Boolean(raw.drill),
    filterState: raw.filterState || undefined,
    stateParam: raw.stateParam || undefined,
  };
}

/** Returns a list as JSON. An attribute without a value is `true`. */
function listText(list: unknown): string | undefined {
  const text = typeof list === 'string' ? list || 'true' : JSON.stringify(list ?? false);
  return text === 'false' ? undefined : text;
}

function seconds(text: string): number | undefined {
  const number = Number(text);
  return number > 0 ? Math.min(Math.max(number, MIN_REFRESH_SECONDS), MAX_REFRESH_SECONDS) : undefined;
}

function localeTag(text: string): string | undefined {
  return readIfSupported(() => Intl.getCanonicalLocales(text)[0]);
}

function zoneName(text: string): string | undefined {
  return readIfSupported(() => new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone && text);
}

/** Returns the result of `read`; undefined where Intl throws a RangeError for an unknown name. */
function readIfSupported(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
