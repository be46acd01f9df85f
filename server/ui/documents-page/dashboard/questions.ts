/** The questions of the tiles of a dashboard, and the filters that drive them. */
import { isObject, type JsonObject } from '../../api-client/json.ts';
import { readDocument } from '../../documents/repository.ts';
import { session } from '../../shell/page-context.ts';
import { type AnswerReader, answerReader, type Condition, type Question } from '../answers.ts';
import type { Tile } from './layout.ts';

/** The saved query of a tile: its question and the settings of its charts. */
export interface TileQuestion extends Question {
  readonly chart: unknown;
}

/** Reads and keeps the questions of tiles, and a reader for each question and its conditions. */
export class Questions {
  readonly #aged: () => void;
  /** When the last answer to each question was computed, in milliseconds. */
  readonly #ages = new Map<string, number>();
  readonly #questions = new Map<string, Promise<TileQuestion>>();
  readonly #readers = new Map<string, AnswerReader>();

  /** @param aged called where `oldest` may have changed */
  constructor(aged: () => void = () => undefined) {
    this.#aged = aged;
  }

  /** When the oldest of the answers was computed, in milliseconds; undefined before the first one. */
  get oldest(): number | undefined {
    return this.#ages.size === 0 ? undefined : Math.min(...this.#ages.values());
  }

  /** @throws RequestFailedError where the saved query does not exist or may not be read */
  of({ query, title = '' }: Tile): Promise<TileQuestion> {
    const key = JSON.stringify(query);
    const known = this.#questions.get(key);
    if (known !== undefined) return known;
    const question =
      query !== undefined && 'path' in query
        ? readDocument(session.client, query.path).then(({ document }) => toQuestion(document))
        : Promise.resolve(toQuestion({ title, ...query }));
    this.#questions.set(key, question);
    return question;
  }

  /** Returns the reader of a tile. The same question and conditions have the same reader, so that nothing is read again. */
  reader(question: TileQuestion, conditions: readonly Condition[]): AnswerReader {
    const key = JSON.stringify([question.source, question.analytics, conditions]);
    const known = this.#readers.get(key);
    if (known !== undefined) return known;
    const read = answerReader(session.client, question, conditions);
    const reader: AnswerReader = async (signal, more) => this.#withoutAge(question, await read(signal, more));
    this.#readers.set(key, reader);
    return reader;
  }

  /** Reads everything again. */
  refresh(): void {
    this.#questions.clear();
    this.#readers.clear();
    this.#ages.clear();
  }

  /** Returns an answer without its age, which the dashboard shows once for all of its tiles. */
  #withoutAge({ source }: TileQuestion, answer: unknown): unknown {
    if (!isObject(answer) || !isObject(answer.freshness)) return answer;
    const { computedAtMillis } = answer.freshness;
    if (typeof computedAtMillis === 'number') this.#ages.set(JSON.stringify(source), computedAtMillis);
    this.#aged();
    return { ...answer, freshness: { ...answer.freshness, computedAtMillis: Number.NaN } };
  }
}

export function toQuestion(document: JsonObject): TileQuestion {
  return {
    title: typeof document.title === 'string' ? document.title : '',
    source: isObject(document.source) ? document.source : {},
    chart: document.chart,
    ...(document.analytics === undefined ? {} : { analytics: document.analytics }),
  };
}

/** Returns the connection and model of a question of the semantic surface; undefined for another surface. */
export function modelOf({ source }: Question): JsonObject | undefined {
  return source.surface === 'semantic' && isObject(source.request) ? source.request : undefined;
}

/** Returns whether a filter drives a tile: it names the tile, or names none, and both have one model. */
export function isDriven(
  filter: Tile,
  tile: Tile,
  model: JsonObject | undefined,
  filterModel: JsonObject | undefined,
): boolean {
  if (filter.drives !== undefined && !filter.drives.includes(tile.id)) return false;
  return (
    model !== undefined &&
    filterModel !== undefined &&
    model.connection === filterModel.connection &&
    model.model === filterModel.model
  );
}

/** Returns the fields `dataset.field` that the queries of tiles name, sorted. A query that cannot be read has none; its tile shows why. */
export async function fieldsOf(tiles: readonly Tile[]): Promise<readonly string[]> {
  const names = new Set<string>();
  const queries = tiles.flatMap(({ query }) => query ?? []);
  const documents = await Promise.all(
    queries.map((query) =>
      'path' in query
        ? readDocument(session.client, query.path).then(
            ({ document }) => document,
            () => undefined,
          )
        : query,
    ),
  );
  collectFields(documents, names);
  return [...names].toSorted();
}

/** Returns the keys of the metrics that the query of a tile asks for, in their order; none of a query that cannot be read. */
export async function metricsOf({ query }: Tile): Promise<readonly string[]> {
  if (query === undefined) return [];
  const document =
    'path' in query
      ? await readDocument(session.client, query.path).then(
          (opened) => opened.document,
          () => undefined,
        )
      : query;
  const source = isObject(document?.source) ? document.source : {};
  const request = isObject(source.request) ? source.request : {};
  const values: unknown = source.surface === 'cube' ? request.measures : request.values;
  return (Array.isArray(values) ? values : [])
    .filter(isObject)
    .flatMap(({ metric, name }) => (typeof metric === 'string' ? metric : typeof name === 'string' ? name : []));
}

function collectFields(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) collectFields(each, names);
  if (!isObject(value)) return;
  if (typeof value.dataset === 'string' && typeof value.field === 'string')
    names.add(`${value.dataset}.${value.field}`);
  for (const each of Object.values(value)) collectFields(each, names);
}
