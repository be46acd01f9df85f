/** Renames elements of a model in a saved query or a dashboard. */
import { isRecord } from '../../../router/record.ts';
import type { Renaming } from './renaming.ts';

/** Members with texts for people, or with values of the data. No name of the model is in them. */
const NO_NAMES: ReadonlySet<string> = new Set([
  'version',
  'title',
  'description',
  'text',
  'label',
  'labels',
  'surface',
  'connection',
  'model',
  'path',
  'id',
  'kind',
  'op',
  'value',
  'direction',
  'timezone',
  'locale',
  'suggestions',
  'chartType',
  'colours',
]);

/** Returns a request, a chart's settings or a document with the new names. */
export function renamedContent(content: unknown, renamings: readonly Renaming[]): unknown {
  return renamings.reduce((value, renaming) => renamed(value, renaming), content);
}

function renamed(value: unknown, renaming: Renaming): unknown {
  if (typeof value === 'string') return renamedKey(value, renaming);
  if (Array.isArray(value)) return value.map((each) => renamed(each, renaming));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (NO_NAMES.has(key)) return [key, each];
      // Values of a filter; the `values` of a request are objects.
      if (key === 'values' && Array.isArray(each) && !each.some(isRecord)) return [key, each];
      return [renamedMember(key, renaming), renamedAt(key, each, value, renaming)];
    }),
  );
}

/** Settings of charts are maps by the key of a column. */
function renamedMember(key: string, renaming: Renaming): string {
  return key.includes('.') ? renamedKey(key, renaming) : key;
}

function renamedAt(
  key: string,
  value: unknown,
  parent: Readonly<Record<string, unknown>>,
  renaming: Renaming,
): unknown {
  const { kind, dataset, from, to } = renaming;
  if (typeof value !== 'string') return renamed(value, renaming);
  switch (key) {
    case 'dataset':
      return kind === 'dataset' && isSame(value, from) ? to : value;
    case 'field': {
      const owner = parent.dataset;
      if (typeof owner !== 'string') return renamedKey(value, renaming);
      return kind === 'field' && isSame(owner, dataset) && isSame(value, from) ? to : renamedKey(value, renaming);
    }
    case 'metric':
    case 'measure':
      return kind === 'metric' && isSame(value, from) ? to : renamedKey(value, renaming);
    case 'via':
      return kind === 'relationship'
        ? value
            .split('/')
            .map((each) => (each === from ? to : each))
            .join('/')
        : value;
    default:
      return renamedKey(value, renaming);
  }
}

/** Renames in the key of a column: `stores.city`, `sales.date.month@delivered`, `net_sales`, `net_sales.base`. */
function renamedKey(key: string, { kind, dataset, from, to }: Renaming): string {
  switch (kind) {
    case 'dataset':
      return key.startsWith(`${from}.`) ? `${to}${key.slice(from.length)}` : key;
    case 'field':
      return startsWithPart(key, `${dataset}.${from}`)
        ? `${dataset}.${to}${key.slice(`${dataset}.${from}`.length)}`
        : key;
    case 'metric':
      return key === from || /^\.(base|difference|ratio)$/.test(key.startsWith(from) ? key.slice(from.length) : '')
        ? `${to}${key.slice(from.length)}`
        : key;
    case 'relationship': {
      const at = key.indexOf('@');
      if (at === -1) return key === from ? to : key;
      const via = key
        .slice(at + 1)
        .split('/')
        .map((each) => (each === from ? to : each));
      return `${key.slice(0, at)}@${via.join('/')}`;
    }
  }
}

function startsWithPart(key: string, start: string): boolean {
  return key.startsWith(start) && /^(?:[.@]|$)/.test(key.slice(start.length));
}

function isSame(left: string, right: string | undefined): boolean {
  return left.toLowerCase() === right?.toLowerCase();
}
