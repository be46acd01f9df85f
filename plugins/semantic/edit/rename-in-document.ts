/** Renames an element of a model document, and every place of the document that names it. */
import { jsonOrUndefined } from '../../../router/json.ts';
import { isRecord } from '../../../router/record.ts';
import type { Place } from '../model/problems.ts';
import type { Extensions, ModelElement } from '../model/read-document.ts';
import type { Engine } from '../model/sql-texts.ts';
import { setValue } from './document-text.ts';
import { renamedContent } from './rename-in-content.ts';
import { renamedSql, type SqlName } from './rename-in-sql.ts';
import type { Renaming } from './renaming.ts';

interface RenameOptions {
  readonly text: string;
  /** The place of the element. */
  readonly element: Place;
  readonly model: ModelElement;
  /** The place of the model. */
  readonly place: Place;
  readonly renaming: Renaming;
  readonly engine: Engine;
}

/** Returns the text of the document after a renaming. */
export function renamedDocument({ text, element, model, place, renaming }: RenameOptions): string {
  const writes = new Map<string, { readonly at: Place; readonly value: unknown }>();
  const write = (at: Place, value: unknown) => writes.set(JSON.stringify(at), { at, value });
  write([...element, 'name'], renaming.to);
  renameRelationships(model, place, renaming, write);
  renameExpressions(model, place, renaming, write);
  renameExtensions(model, place, renaming, write);
  let written = text;
  for (const { at, value } of writes.values()) written = setValue(written, at, value);
  return written;
}

type Write = (at: Place, value: unknown) => void;

function renameRelationships(
  { relationships = [] }: ModelElement,
  place: Place,
  { kind, from, to }: Renaming,
  write: Write,
) {
  if (kind !== 'dataset') return;
  for (const [index, relationship] of relationships.entries())
    for (const side of ['from', 'to'] as const)
      if (relationship[side] === from) write([...place, 'relationships', index, side], to);
}

function renameExpressions(model: ModelElement, place: Place, renaming: Renaming, write: Write): void {
  const rename = sqlRenamer(model, renaming);
  const expressionOf = (
    at: Place,
    { expression }: ModelElement['metrics'] extends readonly (infer Each)[] | undefined ? Each : never,
  ) => {
    for (const [index, entry] of expression.dialects.entries()) {
      const next = renamedSql(entry.expression, rename);
      if (next !== entry.expression) write([...at, 'expression', 'dialects', index, 'expression'], next);
    }
  };
  for (const [index, metric] of (model.metrics ?? []).entries()) expressionOf([...place, 'metrics', index], metric);
  if (renaming.kind !== 'dataset') return;
  for (const [index, { fields = [] }] of model.datasets.entries())
    for (const [at, field] of fields.entries()) expressionOf([...place, 'datasets', index, 'fields', at], field);
}

type SqlRenamer = (name: SqlName) => { readonly qualifier?: string | undefined; readonly name: string } | undefined;

function sqlRenamer(model: ModelElement, { kind, dataset, from, to }: Renaming): SqlRenamer {
  switch (kind) {
    case 'relationship':
      return () => undefined;
    case 'dataset':
      return ({ qualifier, name }) => (isSame(qualifier, from) ? { qualifier: to, name } : undefined);
    case 'metric':
      return ({ qualifier, name, isAggregated }) =>
        qualifier === undefined && !isAggregated && isSame(name, from) ? { name: to } : undefined;
    case 'field': {
      const owners = model.datasets.filter(({ fields = [] }) => fields.some(({ name }) => isSame(name, from)));
      const isMetric = (model.metrics ?? []).some(({ name }) => isSame(name, from));
      const isUnique = owners.length === 1 && !isMetric;
      return ({ qualifier, name }) => {
        if (!isSame(name, from)) return undefined;
        if (qualifier === undefined) return isUnique ? { qualifier: dataset, name: to } : undefined;
        return isSame(qualifier, dataset) ? { qualifier, name: to } : undefined;
      };
    }
  }
}

/** Compares names as the warehouse does. */
function isSame(left: string | undefined, right: string | undefined): boolean {
  return left?.toLowerCase() === right?.toLowerCase();
}

function renameExtensions(model: ModelElement, place: Place, renaming: Renaming, write: Write): void {
  const rename = sqlRenamer(model, renaming);
  const blocks = (at: Place, extensions: Extensions, owner?: string) => {
    for (const [index, { vendor_name: vendor, data }] of (extensions ?? []).entries()) {
      if (vendor.toLowerCase() !== 'service') continue;
      const value = typeof data === 'string' ? jsonOrUndefined(data) : data;
      if (!isRecord(value)) continue;
      const next = renamedData(value, renaming, rename, owner);
      if (JSON.stringify(next) === JSON.stringify(value)) continue;
      write([...at, 'custom_extensions', index, 'data'], typeof data === 'string' ? JSON.stringify(next) : next);
    }
  };
  blocks(place, model.custom_extensions);
  for (const [index, dataset] of model.datasets.entries()) {
    const at = [...place, 'datasets', index];
    blocks(at, dataset.custom_extensions, dataset.name);
    for (const [field, element] of (dataset.fields ?? []).entries())
      blocks([...at, 'fields', field], element.custom_extensions, dataset.name);
  }
  for (const [index, metric] of (model.metrics ?? []).entries())
    blocks([...place, 'metrics', index], metric.custom_extensions);
}

/** Members of our block whose texts are no names of the model. */
const NO_NAMES: ReadonlySet<string> = new Set([
  'display',
  'timezone',
  'locale',
  'week_start',
  'take',
  'grain',
  'allow',
  'deny',
]);

/** @param owner the dataset that bare names of fields belong to */
function renamedData(value: unknown, renaming: Renaming, rename: SqlRenamer, owner?: string): unknown {
  const { kind, dataset, from, to } = renaming;
  if (Array.isArray(value)) return value.map((each) => renamedData(each, renaming, rename, owner));
  if (isRecord(value)) {
    const inner = typeof value.dataset === 'string' ? value.dataset : owner;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        if (NO_NAMES.has(key)) return [key, each];
        if (key === 'filter' && typeof each === 'string') return [key, renamedSql(each, rename)];
        if (key === 'row_predicates' && isRecord(each) && kind === 'dataset')
          return [
            key,
            Object.fromEntries(Object.entries(each).map(([role, sql]) => [role, renamedSql(String(sql), rename)])),
          ];
        if (key === 'row_predicates') return [key, each];
        if (key === 'certified') return [key, renamedAnswers(each, renaming)];
        if (key === 'dataset' && kind === 'dataset' && each === from) return [key, to];
        return [key, key === 'dataset' ? each : renamedData(each, renaming, rename, inner)];
      }),
    );
  }
  if (typeof value !== 'string') return value;
  switch (kind) {
    case 'dataset':
      return value.startsWith(`${from}.`) ? `${to}${value.slice(from.length)}` : value;
    case 'field':
      if (value === `${dataset}.${from}`) return `${dataset}.${to}`;
      return value === from && owner === dataset ? to : value;
    case 'metric':
      return value === from && owner === undefined ? to : value;
    case 'relationship':
      return value;
  }
}

/** Renames in the requests of certified answers. */
function renamedAnswers(answers: unknown, renaming: Renaming): unknown {
  if (!Array.isArray(answers)) return answers;
  return answers.map((answer: unknown) =>
    isRecord(answer) ? { ...answer, request: renamedContent(answer.request, [renaming]) } : answer,
  );
}
