/** Describes dbt's saved queries as requests. A document cannot contain them, so warnings show them for saving by hand. */
import { LeftOut, type Project } from './project.ts';
import type { SavedQuery } from './read.ts';

interface Reference {
  readonly dataset: string;
  readonly field: string;
  readonly grain?: string;
}

/** `TimeDimension('order__day', 'week')`, `Dimension('order__status')`, `Entity('customer')`, `order__status`, `metric_time__week`. */
const WRITTEN = /^(?:(?:(?:Time)?Dimension|Entity)\(\s*['"](\w+)['"]\s*(?:,\s*['"](\w+)['"]\s*)?\)|(\w+))$/;
/** A comparison of one reference with one value. */
const COMPARISON = /^\s*\{\{-?\s*(.*?)\s*-?\}\}\s*(=|!=|<>|>=|<=|>|<)\s*(?:'([^']*)'|(-?\d+(?:\.\d+)?))\s*$/s;
const OPERATORS: Readonly<Record<string, string>> = {
  '=': 'EQ',
  '!=': 'NEQ',
  '<>': 'NEQ',
  '>=': 'GTE',
  '<=': 'LTE',
  '>': 'GT',
  '<': 'LT',
};

/** Describes a saved query as a request, with the parts that the request lacks. */
export function describeSavedQuery({ name, query_params: query }: SavedQuery, project: Project): string {
  const missing: string[] = [];
  const attempt = <Part>(what: string, text: string, read: () => Part | undefined): readonly Part[] => {
    try {
      const part = read();
      if (part !== undefined) return [part];
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
    }
    missing.push(`${what} ${text.trim()}`);
    return [];
  };
  const metrics = query.metrics ?? [];
  const rows = (query.group_by ?? []).flatMap((text) => attempt('group_by', text, () => referenceOf(text, project)));
  const filters = (query.where ?? []).flatMap((text) => attempt('where', text, () => comparisonOf(text, project)));
  const sorts = (query.order_by ?? []).flatMap((text) =>
    attempt('order_by', text, () => {
      const [, minus, plain = ''] = /^(-?)\s*(.*)$/s.exec(text.trim()) ?? [];
      const direction = minus === '-' ? 'DESC' : 'ASC';
      if (metrics.includes(plain)) return { metric: plain, direction };
      const place = referenceOf(plain, project);
      return place && { field: Object.values(place).join('.'), direction };
    }),
  );
  const request = {
    ...(rows.length === 0 ? {} : { rows }),
    values: metrics.map((metric) => ({ metric })),
    ...(filters.length === 0 ? {} : { filters }),
    ...(sorts.length === 0 ? {} : { sorts }),
    ...(query.limit === undefined ? {} : { limit: query.limit }),
  };
  const without = missing.length === 0 ? '' : ` without its ${missing.join(', its ')}`;
  return `saved query ${name}: left out: a document has no requests; save this one${without}: ${JSON.stringify(request)}`;
}

function comparisonOf(text: string, project: Project) {
  const [, reference = '', operator = '', value, number] = COMPARISON.exec(text) ?? [];
  const place = referenceOf(reference, project);
  const op = OPERATORS[operator];
  return place === undefined || op === undefined ? undefined : { ...place, op, value: value ?? Number(number) };
}

/** Finds the element of a reference; `metric_time` is the date of the calendar. */
function referenceOf(text: string, project: Project): Reference | undefined {
  const [, quoted, grain, plain = ''] = WRITTEN.exec(text.trim()) ?? [];
  const parts = (quoted ?? plain).split('__');
  const grainName = grain?.toLowerCase();
  const [first, second, ...more] = parts;
  if (first === 'metric_time') {
    const named = grainName ?? second?.toLowerCase();
    return more.length > 0 ? undefined : withGrain('time', 'date', named);
  }
  if (first === undefined) return undefined;
  const entity = grainName === undefined ? entityOf(parts, project) : undefined;
  if (entity !== undefined || second === undefined) return entity;
  try {
    return fieldOf(parts, grainName, project);
  } catch (error) {
    // `order__day__week`: the last part may be the grain.
    if (!(error instanceof LeftOut) || grainName !== undefined || parts.length < 3) throw error;
    return fieldOf(parts.slice(0, -1), parts.at(-1)?.toLowerCase(), project);
  }
}

/** Finds the dataset of an entity: where it is the key, else where it is a foreign key. */
function entityOf(parts: readonly string[], project: Project): Reference | undefined {
  const name = parts.at(-1);
  const holders = project.models.flatMap(({ name: dataset, entities = [] }) =>
    entities.filter((one) => one.name === name).map(({ name: field, type }) => ({ dataset, field, type })),
  );
  const holder = holders.find(({ type }) => type === 'primary' || type === 'unique') ?? holders[0];
  return holder && { dataset: holder.dataset, field: holder.field };
}

function fieldOf(parts: readonly string[], grain: string | undefined, project: Project): Reference | undefined {
  const entities = parts.slice(0, -1);
  const [first] = project.models;
  const from = project.models.find((candidate) =>
    candidate.entities?.some(({ name, type }) => name === entities.at(-1) && type === 'primary'),
  );
  const model = from ?? first;
  if (model === undefined) return undefined;
  const { model: owner, element } = project.dimension(model, entities, parts.at(-1) ?? '');
  return withGrain(owner.name, element.name, grain);
}

function withGrain(dataset: string, field: string, grain: string | undefined): Reference {
  return grain === undefined ? { dataset, field } : { dataset, field, grain };
}
