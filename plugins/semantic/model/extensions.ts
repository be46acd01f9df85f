/**
 * Reads an element's data for this product from `custom_extensions` and loose keys: personal data, display, roles, time.
 */
import { z } from 'zod';
import { list } from '../../../router/bounded.ts';
import { CertifiedAnswer, MAX_CERTIFIED_ANSWERS } from '../../../router/certified-answer.ts';
import { WEEK_DAYS, type WeekDay } from '../../../router/date-grains.ts';
import { jsonOrUndefined } from '../../../router/json.ts';
import { isLocale, zoneNamed } from '../../../router/time-zone.ts';
import { type CalendarTable, calendarTable, conflictOfTables, isOfTable } from './calendar-tables.ts';
import { conflictOf, type FiscalYear } from './fiscal-year.ts';
import { type MetricKindData, metricKindData } from './metric-kinds.ts';
import type { AiContext, Extensions } from './read-document.ts';
import { type RollupData, rollupData } from './rollups.ts';
import { misspelledViewerMember, type ViewerFacts, viewerData } from './viewer-filters.ts';

/** The display format of a value. */
export interface Display {
  readonly caption?: string | undefined;
  /** A number pattern such as `#,##0.00`. */
  readonly format?: string | undefined;
  readonly unit?: string | undefined;
  /** True where schema views and examples leave the element out; it may still be queried. */
  readonly hidden: boolean;
}

/** Access to a field or a metric: `deny` refuses its roles; a list `allow` refuses all roles outside it. */
export interface RoleRule {
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[];
}

export interface ExtensionFacts {
  /**
   * Whether the element is marked as personal data; `undefined` where the document has no mark. A mark in any vendor's data
   * counts, so that a mistake fails closed.
   */
  readonly pii: boolean | undefined;
  readonly display: Display;
  readonly roles: RoleRule;
  /** Of a dataset: role -> SQL condition over its columns. `*` applies to callers with no role that has a predicate. */
  readonly rowPredicates: Readonly<Record<string, string>>;
  readonly viewers: ViewerFacts;
  /** Of a model. */
  readonly certified: readonly CertifiedAnswer[];
  /** Of a model: tables with metrics that were aggregated before. */
  readonly rollups: readonly RollupData[];
  /** Of a `COUNT(*)` metric: the dataset that it counts. */
  readonly dataset: string | undefined;
  /** Of a metric: false where no request may add up its values, such as rates. */
  readonly isAdditive: boolean;
  readonly time: TimeFacts;
  /** Of a metric: the settings that give it a kind. */
  readonly kinds: MetricKindData;
  /** The data of other vendors that are not marked as internal. */
  readonly extensions: readonly Extension[];
  /** The parts of our own vendor block that could not be read. */
  readonly mistakes: readonly string[];
}

/** Settings of time: a model's time zone and calendars, a dataset's main date, and whether a field has local times. */
export interface TimeFacts {
  readonly timezone?: string | undefined;
  readonly firstDay?: WeekDay | undefined;
  readonly locale?: string | undefined;
  readonly isLocal?: boolean | undefined;
  /** Of a dataset: its main date, as the name of a field or `dataset.field` of another dataset. */
  readonly main?: string | undefined;
  /** Of a model: calendars with periods that are grains. */
  readonly calendars?: readonly FiscalYear[] | undefined;
  /** Of a model: calendars that are tables. */
  readonly calendarTables?: readonly CalendarTable[] | undefined;
}

/** Another vendor's extension, unchanged. */
export interface Extension {
  readonly vendor_name: string;
  readonly data: unknown;
}

const OUR_VENDOR = 'service';

const DAY_NAMES = Object.keys(WEEK_DAYS) as [keyof typeof WEEK_DAYS, ...(keyof typeof WEEK_DAYS)[]];

const names = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const YEAR_DAY =
  'year_start.day is 1 to 28, a day that every month has; a year from 29 February on would not begin in three years of four';

/** A calendar with years that begin on another day than January 1. */
const fiscalYear = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9_]{0,40}$/, 'the name of a calendar is of small letters, digits and _'),
    year_start: z.strictObject({
      month: z.int().min(1, 'year_start.month is 1 to 12').max(12, 'year_start.month is 1 to 12'),
      day: z.int().min(1, YEAR_DAY).max(28, YEAR_DAY).default(1),
    }),
    label_year: z.enum(['start', 'end']).default('end'),
  })
  .transform(
    ({ name, year_start: { month, day }, label_year: labelYear }): FiscalYear =>
      Object.freeze({ name, month, day, labelYear }),
  );

const MAX_CALENDARS = 10;

const calendarTables = z.looseObject({
  calendars: z
    .preprocess((list) => listed(list).filter(isOfTable), z.array(calendarTable).max(MAX_CALENDARS))
    .optional(),
});

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const ownData = z.looseObject({
  calendars: z
    .preprocess((list) => (Array.isArray(list) ? list.filter((one) => !isOfTable(one)) : list), z.array(fiscalYear))
    .refine((calendars) => calendars.length <= MAX_CALENDARS, `there are at most ${MAX_CALENDARS} calendars`)
    .superRefine((calendars, context) => {
      const message = conflictOf(calendars);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .optional(),
  display: z
    .looseObject({
      caption: z.string().optional(),
      format: z.string().optional(),
      unit: z.string().optional(),
      hidden: z.boolean().optional(),
    })
    .optional(),
  roles: z
    .looseObject({
      allow: names.optional(),
      deny: names.optional(),
      row_predicates: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  dataset: z.string().optional(),
  additive: z.boolean().optional(),
  ...viewerData,
  certified: list(CertifiedAnswer, MAX_CERTIFIED_ANSWERS).optional(),
  time: z
    .looseObject({
      timezone: z
        .string()
        .transform((name) => zoneNamed(name))
        .refine((zone) => zone !== undefined, 'time.timezone is no IANA time zone')
        .optional(),
      week_start: z
        .enum(DAY_NAMES)
        .transform((day) => WEEK_DAYS[day])
        .optional(),
      locale: z.string().refine(isLocale, 'time.locale is no language tag such as en-US').optional(),
      local: z.boolean().optional(),
      main: z.string().min(1).optional(),
    })
    .optional(),
});

export function readExtensions(element: Readonly<Record<string, unknown>>, extensions: Extensions): ExtensionFacts {
  const mistakes: string[] = [];
  let serviceData: z.output<typeof ownData> = {};
  let kinds: MetricKindData = {};
  let tables: readonly CalendarTable[] = [];
  let rollups: readonly RollupData[] = [];
  const viewerFilters: ViewerFacts['filters'][number][] = [];
  let pii = markOf(element.pii);
  for (const { vendor_name: vendor, data } of extensions ?? []) {
    const value = dataOf(data);
    const mark = value === undefined ? (/pii/i.test(String(data)) ? true : undefined) : findMark(value);
    if (pii !== true && mark !== undefined) pii = mark;
    if (vendor.toLowerCase() !== OUR_VENDOR) continue;
    const checked = ownData.safeParse(value);
    if (checked.success) serviceData = { ...serviceData, ...checked.data };
    // Filters of several blocks all apply: a later block must not lift those of an earlier one.
    viewerFilters.push(...(checked.data?.viewer_filters ?? []));
    const misspelled = misspelledViewerMember(value);
    if (misspelled !== undefined) mistakes.push(misspelled);
    const ofKinds = metricKindData.safeParse(value);
    if (ofKinds.success) kinds = { ...kinds, ...ofKinds.data };
    const ofTables = calendarTables.safeParse(value);
    if (ofTables.success) tables = ofTables.data.calendars ?? tables;
    const ofRollups = rollupData.safeParse(value);
    if (ofRollups.success) rollups = ofRollups.data.rollups ?? rollups;
    const [issue] = [checked, ofKinds, ofTables, ofRollups].flatMap(({ error }) => error?.issues ?? []);
    if (issue !== undefined) {
      mistakes.push(`the data of the extension ${vendor} is not understood: ${described(issue)}`);
    }
  }
  const { display, roles } = serviceData;
  const conflict = conflictOfTables(tables, serviceData.calendars ?? []);
  if (conflict !== undefined) mistakes.push(conflict);
  return {
    pii,
    display: {
      caption: display?.caption,
      format: display?.format,
      unit: display?.unit,
      hidden: display?.hidden ?? false,
    },
    roles: { allow: roles?.allow, deny: roles?.deny ?? [] },
    rowPredicates: roles?.row_predicates ?? {},
    viewers: {
      filters: viewerFilters,
      attributes: serviceData.viewer_attributes,
      exempt: serviceData.viewer_exempt ?? [],
    },
    certified: serviceData.certified ?? [],
    rollups,
    dataset: serviceData.dataset,
    isAdditive: serviceData.additive ?? true,
    kinds,
    time: {
      timezone: serviceData.time?.timezone,
      firstDay: serviceData.time?.week_start,
      locale: serviceData.time?.locale,
      isLocal: serviceData.time?.local,
      main: serviceData.time?.main,
      calendars: serviceData.calendars,
      calendarTables: tables,
    },
    extensions: (extensions ?? [])
      .filter(isPublic)
      .map(({ vendor_name, data }) => Object.freeze({ vendor_name, data })),
    mistakes,
  };
}

/** Returns a message with the place of a mistake and the legal values. */
function described({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 || message.startsWith(path.join('.')) ? message : `${path.join('.')}: ${message}`;
}

/**
 * Returns whether an extension may be shown. Data that cannot be read is hidden where it may contain `"visibility":
 * "internal"`, so that a mistake fails closed.
 */
function isPublic({ vendor_name, data }: Extension): boolean {
  if (vendor_name.toLowerCase() === OUR_VENDOR) return false;
  const value = dataOf(data);
  if (value === undefined) return !/internal/i.test(String(data));
  if (typeof value !== 'object' || value === null || !('visibility' in value)) return true;
  return String(value.visibility).toLowerCase() !== 'internal';
}

/** Reads the data of an extension: JSON in a string, or without the string, as some products write it. */
function dataOf(data: unknown): unknown {
  // Other vendors may have any data here. If our own block cannot be read, its schema reports that.
  return typeof data === 'string' ? jsonOrUndefined(data) : data;
}

/** Reads a mark: `pii: true`, `pii: "yes"`, `pii: {level: …}` mark; `pii: false` clears; an absent key does neither. */
function markOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  return !(value === false || value === 'false' || value === 0);
}

/** Looks for a key `pii` at any depth: a marking `true` anywhere wins over a `false`. */
function findMark(value: unknown): boolean | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const marks = Object.entries(value).map(([key, inner]) =>
    key.toLowerCase() === 'pii' ? markOf(inner) : findMark(inner),
  );
  return marks.includes(true) ? true : marks.find((mark) => mark !== undefined);
}

/** The instructions for agents about an element (`ai_context`). */
export interface AiFacts {
  /** Further names, accepted wherever the name is. */
  readonly synonyms: readonly string[];
  readonly instructions: string | undefined;
  /** The author's examples, usually questions. */
  readonly aiExamples: readonly unknown[];
}

/** Reads `ai_context`: a text (a list of synonyms by its examples: `"orders, purchases"`) or an object. */
export function readAiContext(context: AiContext): AiFacts {
  if (context === undefined) return { synonyms: [], instructions: undefined, aiExamples: [] };
  if (typeof context !== 'string') {
    const { synonyms = [], instructions, examples = [] } = context;
    return { synonyms, instructions, aiExamples: examples };
  }
  const pieces = context.split(',').map((piece) => piece.trim());
  // A sentence is an instruction, not a list of names.
  const isList = pieces.every((piece) => piece !== '' && piece.split(/\s+/).length <= 4 && !/[.!?]$/.test(piece));
  return isList
    ? { synonyms: pieces, instructions: undefined, aiExamples: [] }
    : { synonyms: [], instructions: context, aiExamples: [] };
}
