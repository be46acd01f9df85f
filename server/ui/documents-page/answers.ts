/** The answers of saved queries and tiles, read for the element's views. */
import type { Client } from '../api-client/client.ts';
import { isObject, type JsonObject } from '../api-client/json.ts';

export type AnswerReader = (
  signal: AbortSignal,
  more?: { readonly others: string } | { readonly without: string },
) => Promise<unknown>;

/** A query to answer: as a saved query has it. */
export interface Question {
  readonly title: string;
  readonly source: JsonObject;
  readonly analytics?: unknown;
}

/** A condition of a filter tile. */
export interface Condition {
  /** `dataset.field` */
  readonly field: string;
  readonly values: readonly string[];
}

/** Returns the reader of a question, narrowed by conditions on fields of its model. */
export function answerReader(client: Client, question: Question, conditions: readonly Condition[] = []): AnswerReader {
  const body = {
    title: question.title,
    source: { ...question.source, request: narrowed(question.source.request, conditions) },
    ...(question.analytics === undefined ? {} : { analytics: question.analytics }),
  };
  return (signal, more) => client.post('/rest/service/api/view/answer', { ...body, ...more }, (json) => json, signal);
}

/** Returns the values of a field, as text, sorted by the server. */
export async function readFieldValues(
  client: Client,
  model: JsonObject,
  field: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const request = {
    connection: model.connection,
    model: model.model,
    rows: [fieldReference(field)],
    limit: MAX_FILTER_VALUES,
  };
  const answer = await client.post(
    '/rest/service/api/view/answer',
    { title: field, source: { surface: 'semantic', request } },
    (json) => (isObject(json) && Array.isArray(json.records) ? json.records : []),
    signal,
  );
  return answer.flatMap((record: unknown) => {
    const [value] = isObject(record) ? Object.values(record) : [];
    return value === null || value === undefined || isObject(value) ? [] : [String(value)];
  });
}

/** Values that a filter tile offers. */
const MAX_FILTER_VALUES = 200;

function narrowed(request: unknown, conditions: readonly Condition[]): unknown {
  if (!isObject(request) || conditions.length === 0) return request;
  const filters = Array.isArray(request.filters) ? request.filters : [];
  return {
    ...request,
    filters: [...filters, ...conditions.map(({ field, values }) => ({ ...fieldReference(field), op: 'IN', values }))],
  };
}

function fieldReference(field: string): { readonly dataset: string; readonly field: string } {
  const dot = field.indexOf('.');
  return { dataset: field.slice(0, dot), field: field.slice(dot + 1) };
}
