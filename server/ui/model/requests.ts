/** The requests of the page, with their answers. */
import type { Client } from '../api-client/client.ts';
import {
  type JsonObject,
  readBoolean,
  readList,
  readObject,
  readOption,
  readText,
  readTime,
} from '../api-client/json.ts';
import { inWords } from '../words/server-words.ts';
import type { Edit } from './draft.ts';
import {
  type ModelDocument,
  type ModelProblem,
  optionalText,
  parseDocument,
  parseProblem,
  texts,
} from './model-document.ts';

const ROOT = '/rest/service/api/admin/models';

/** A change of a version of the document: edits, the whole text, or an earlier version. */
export interface Change {
  readonly version: string;
  readonly edits?: readonly Edit[];
  readonly text?: string;
  readonly restore?: string;
}

/** The kinds of things that a change may break, in their order in the list. */
export const BREAK_KINDS = ['query', 'tile', 'certified-answer', 'token', 'public-grant'] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

export interface Break {
  readonly kind: BreakKind;
  readonly path: string;
  readonly title: string;
  readonly tile: string | undefined;
  readonly id: string | undefined;
  readonly message: string;
  /** The roles that it breaks for; empty for everybody. */
  readonly roles: readonly string[];
}

export interface DifferenceLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  readonly line: number;
}

export interface Proposal {
  readonly version: string;
  readonly text: string;
  readonly difference: readonly DifferenceLine[];
  readonly problems: readonly ModelProblem[];
  readonly isSavable: boolean;
  readonly breaks: readonly Break[];
  readonly carried: readonly string[];
  readonly uncheckedDocuments: number;
}

export interface Saved {
  readonly version: string;
  readonly carried: readonly string[];
}

export interface HistoryEntry {
  readonly version: string;
  readonly summary: string;
  readonly user: string | undefined;
  readonly createdAt: Date;
  readonly carried: readonly string[];
}

export interface FieldFacts {
  readonly samples: readonly string[];
  readonly distinct: number | undefined;
}

export interface DatasetFacts {
  readonly rows: number | undefined;
  /** The latest value of its main date. */
  readonly latest: string | undefined;
  readonly fields: ReadonlyMap<string, FieldFacts>;
}

export type ModelFacts = ReadonlyMap<string, DatasetFacts>;

export interface ModelUse {
  readonly kind: 'query' | 'tile';
  readonly path: string;
  readonly title: string;
  readonly tile: string | undefined;
  readonly names: readonly string[];
  readonly embeds: number;
}

/** The value of a metric of a draft, or the reason why it has none. */
export type Trial = { readonly shown: string } | { readonly refused: string };

export interface JoinCheck {
  readonly rows: number;
  readonly emptyKeys: number;
  readonly withoutPartner: number;
  readonly repeatedKeys: number;
}

export interface JoinEnds {
  readonly from: string;
  readonly to: string;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
}

/** Sends the requests about one model. */
export class ModelRequests {
  readonly #client: Client;
  readonly #path: string;

  constructor(client: Client, id: string) {
    this.#client = client;
    this.#path = `${ROOT}/${encodeURIComponent(id)}`;
  }

  read(signal?: AbortSignal): Promise<ModelDocument> {
    return this.#client.get(this.#path, parseDocument, signal);
  }

  facts(signal?: AbortSignal): Promise<ModelFacts> {
    return this.#client.get(`${this.#path}/facts`, parseFacts, signal);
  }

  uses(signal?: AbortSignal): Promise<readonly ModelUse[]> {
    return this.#client.get(`${this.#path}/uses`, parseUses, signal);
  }

  propose(change: Change, signal?: AbortSignal): Promise<Proposal> {
    return this.#client.post(`${this.#path}/propose`, change, parseProposal, signal);
  }

  save(change: Change): Promise<Saved> {
    return this.#client.post(`${this.#path}/save`, change, (json) => {
      const record = readObject(json, 'the saved model');
      return { version: readText(record, 'version'), carried: texts(record, 'carried') };
    });
  }

  tryMetric(version: string, edits: readonly Edit[], metric: string, signal?: AbortSignal): Promise<Trial> {
    const body = { version, metric, ...(edits.length === 0 ? {} : { edits }) };
    return this.#client.post(`${this.#path}/try`, body, parseTrial, signal);
  }

  checkJoin(ends: JoinEnds, signal?: AbortSignal): Promise<JoinCheck> {
    const { from, to, fromColumns, toColumns } = ends;
    return this.#client.post(`${this.#path}/check-join`, { from, to, fromColumns, toColumns }, parseJoin, signal);
  }

  history(signal?: AbortSignal): Promise<readonly HistoryEntry[]> {
    return this.#client.get(`${this.#path}/history`, parseHistory, signal);
  }

  compare(version: string, signal?: AbortSignal): Promise<readonly DifferenceLine[]> {
    const parse = (json: unknown) => parseDifference(readObject(json, 'the comparison').difference);
    return this.#client.get(`${this.#path}/history/${encodeURIComponent(version)}`, parse, signal);
  }
}

function parseProposal(json: unknown): Proposal {
  const record = readObject(json, 'the proposal');
  return {
    version: readText(record, 'version'),
    text: readText(record, 'text'),
    difference: parseDifference(record.difference),
    problems: readList(record.problems, 'problems', parseProblem),
    isSavable: readBoolean(record, 'isSavable'),
    breaks: readList(record.breaks, 'breaks', parseBreak),
    carried: texts(record, 'carried'),
    uncheckedDocuments: readCount(record, 'uncheckedDocuments'),
  };
}

function parseBreak(item: unknown): Break {
  const record = readObject(item, 'a break');
  return {
    kind: readOption(record, 'kind', BREAK_KINDS),
    path: readText(record, 'path'),
    title: readText(record, 'title'),
    tile: optionalText(record, 'tile'),
    id: optionalText(record, 'id'),
    message: inWords(readText(record, 'message')),
    roles: record.roles === undefined ? [] : texts(record, 'roles'),
  };
}

function parseDifference(value: unknown): readonly DifferenceLine[] {
  return readList(value, 'the difference', (item) => {
    const record = readObject(item, 'a line');
    return {
      kind: readOption(record, 'kind', ['same', 'removed', 'added']),
      text: readText(record, 'text'),
      line: readCount(record, 'line'),
    };
  });
}

function parseFacts(json: unknown): ModelFacts {
  const datasets = readList(readObject(json, 'the facts').datasets, 'datasets', (item) => {
    const record = readObject(item, 'a dataset');
    const fields = readList(record.fields, 'fields', (each) => {
      const field = readObject(each, 'a field');
      const samples = readList(field.samples, 'samples', (value) => (value === null ? '' : String(value)));
      return [readText(field, 'name'), { samples, distinct: optionalCount(field, 'distinct') }] as const;
    });
    const facts: DatasetFacts = {
      rows: optionalCount(record, 'rows'),
      latest: optionalText(record, 'latest'),
      fields: new Map(fields),
    };
    return [readText(record, 'name'), facts] as const;
  });
  return new Map(datasets);
}

function parseUses(json: unknown): readonly ModelUse[] {
  return readList(readObject(json, 'the uses').uses, 'uses', (item) => {
    const record = readObject(item, 'a use');
    return {
      kind: readOption(record, 'kind', ['query', 'tile']),
      path: readText(record, 'path'),
      title: readText(record, 'title'),
      tile: optionalText(record, 'tile'),
      names: texts(record, 'names'),
      embeds: readCount(record, 'embeds'),
    };
  });
}

function parseTrial(json: unknown): Trial {
  const record = readObject(json, 'the value');
  const refused = optionalText(record, 'refused');
  if (refused !== undefined) return { refused: inWords(refused) };
  const value = record.value;
  return { shown: optionalText(record, 'formatted') ?? (value === null || value === undefined ? '–' : String(value)) };
}

function parseJoin(json: unknown): JoinCheck {
  const record = readObject(json, 'the check');
  return {
    rows: readCount(record, 'rows'),
    emptyKeys: readCount(record, 'emptyKeys'),
    withoutPartner: readCount(record, 'withoutPartner'),
    repeatedKeys: readCount(record, 'repeatedKeys'),
  };
}

function parseHistory(json: unknown): readonly HistoryEntry[] {
  return readList(json, 'the versions', (item) => {
    const record = readObject(item, 'a version');
    return {
      version: readText(record, 'version'),
      summary: readText(record, 'summary'),
      user: optionalText(record, 'user'),
      createdAt: readTime(record, 'createdAt'),
      carried: texts(record, 'carried'),
    };
  });
}

function readCount(record: JsonObject, name: string): number {
  return optionalCount(record, name) ?? 0;
}

function optionalCount(record: JsonObject, name: string): number | undefined {
  const value = record[name];
  return typeof value === 'number' ? value : undefined;
}
