/** Lists the stored documents that ask a model, with the elements that each names. */
import { isRecord } from '../../../router/record.ts';
import type { Embed } from './breakage.ts';
import type { StoredRequest } from './stored-requests.ts';

export interface ModelUse {
  readonly kind: StoredRequest['kind'];
  readonly path: string;
  readonly title: string;
  readonly tile?: string | undefined;
  /** Fields as `dataset.field`, and metrics by name. */
  readonly names: readonly string[];
  /** Tokens and public grants that open the document. */
  readonly embeds: number;
}

export function usesOfModel(requests: readonly StoredRequest[], embeds: readonly Embed[]): readonly ModelUse[] {
  return requests.map(({ kind, path, title, tile, request, columns, filterable }) => ({
    kind,
    path,
    title,
    ...(tile === undefined ? {} : { tile }),
    names: [...new Set([...namesIn(request), ...[...columns, ...filterable].map(withoutGrain)])].sort(),
    embeds: embeds.filter((embed) => embed.path === path).length,
  }));
}

/** Returns the names of fields and metrics in a part of a request. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isRecord(value)) return [];
  const { dataset, field, metric } = value;
  const own = [
    ...(typeof field === 'string' ? [withoutGrain(typeof dataset === 'string' ? `${dataset}.${field}` : field)] : []),
    ...(typeof metric === 'string' ? [metric] : []),
  ];
  return [...own, ...Object.values(value).flatMap(namesIn)];
}

/** Shortens the key of a column to its field: `sales.date.month@delivered` to `sales.date`. */
function withoutGrain(key: string): string {
  return key.split('@')[0]?.split('.').slice(0, 2).join('.') ?? key;
}
