/** Collects the requests that the repository of a tenant stores for one model, and what else they name. */

import type { Scope } from '../../../router/capabilities/identity.ts';
import type { Repository } from '../../../router/capabilities/repository.ts';
import { CHART_SETTINGS, type Setting, type SettingTable } from '../../../router/chart-settings.ts';
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { jsonOrUndefined } from '../../../router/json.ts';
import { isRecord } from '../../../router/record.ts';
import { EXTENSION } from '../../repository/index.ts';
import { SemanticQueryRequest } from '../schemas.ts';
import { renamedContent } from './rename-in-content.ts';
import type { Renaming } from './renaming.ts';

/** The most documents that are checked. The others are counted. */
const MAX_CHECKED_DOCUMENTS = 2_000;

/** A document of the repository with its JSON. */
export interface StoredDocument {
  readonly path: string;
  readonly text: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export const STORED_REQUEST_KINDS = ['query', 'tile', 'certified-answer'] as const;

/** A request of a saved query, a tile or a certified answer. */
export interface StoredRequest {
  readonly kind: (typeof STORED_REQUEST_KINDS)[number];
  /** The document; of a certified answer, the name of its model. */
  readonly path: string;
  /** The title of the saved query or of the tile, or the certified question. */
  readonly title: string;
  /** The id of a tile. */
  readonly tile?: string;
  /** The paths of the documents that a token may open to read it: its own and, of a saved query, none other. */
  readonly request: SemanticQueryRequest;
  /** Keys of columns of the answer that settings name. */
  readonly columns: readonly string[];
  /** Keys of fields that a host page may filter by. */
  readonly filterable: readonly string[];
}

export interface StoredContent {
  readonly documents: readonly StoredDocument[];
  /** The documents that were not read because there are too many. */
  readonly uncheckedCount: number;
}

export interface ModelName {
  readonly connection: string;
  readonly model: string;
  /** True where the connection has no other model, so that requests may leave its name out. */
  readonly isOnly: boolean;
}

/** Reads all documents that may name a model. */
export async function readContent(repository: Repository, caller: Scope): Promise<StoredContent> {
  const lists = await Promise.all(Object.values(EXTENSION).map((extension) => repository.list(caller, extension)));
  const paths = lists.flat().map(({ path }) => path);
  const documents: StoredDocument[] = [];
  for (const path of paths.slice(0, MAX_CHECKED_DOCUMENTS)) {
    const text = (await repository.read(caller, path))?.text;
    const content = text === undefined ? undefined : jsonOrUndefined(text);
    if (text !== undefined && isRecord(content)) documents.push({ path, text, content });
  }
  return { documents, uncheckedCount: Math.max(0, paths.length - MAX_CHECKED_DOCUMENTS) };
}

/** Lists the requests of documents to one model. A request that has not the shape of one is left out: it is answered by none. */
export function requestsOf(documents: readonly StoredDocument[], name: ModelName): readonly StoredRequest[] {
  const queries = new Map(
    documents
      .filter(({ path }) => path.endsWith(EXTENSION.query))
      .map((document) => [document.path, document] as const),
  );
  return documents.flatMap(({ path, content }): readonly StoredRequest[] => {
    if (path.endsWith(EXTENSION.query))
      return requestOf(content, name).map((request) => savedRequest(path, content, request));
    if (!path.endsWith(EXTENSION.dashboard)) return [];
    const keys = textsOf(content.filterable);
    return tilesOf(content).flatMap((tile) => {
      const { query } = tile;
      if (!isRecord(query)) return [];
      const saved = typeof query.path === 'string' ? queries.get(query.path)?.content : undefined;
      return requestOf(saved ?? query, name).map((request) => ({
        kind: 'tile',
        path,
        title: String(tile.title ?? saved?.title ?? tile.id),
        tile: String(tile.id),
        request,
        columns: [...textsOf([tile.measure]), ...columnsIn(tile.chart)],
        filterable: keys,
      }));
    });
  });
}

function savedRequest(path: string, content: StoredDocument['content'], request: SemanticQueryRequest): StoredRequest {
  const { analytics } = content;
  return {
    kind: 'query',
    path,
    title: String(content.title ?? path),
    request,
    columns: [...columnsIn(content.chart), ...textsOf([isRecord(analytics) ? analytics.timeAxis : undefined])],
    filterable: textsOf(content.filterable),
  };
}

/** Returns the request of a saved query or of a tile's query, where it is one to the model. */
function requestOf({ source }: Readonly<Record<string, unknown>>, name: ModelName): readonly SemanticQueryRequest[] {
  if (!isRecord(source) || source.surface !== 'semantic') return [];
  const read = SemanticQueryRequest.safeParse(source.request);
  return read.success && isOf(read.data, name) ? [read.data] : [];
}

function isOf(
  { connection, model }: { readonly connection: string; readonly model?: string | undefined },
  name: ModelName,
) {
  const isConnection = connection.toLowerCase() === name.connection.toLowerCase();
  return isConnection && (model === undefined ? name.isOnly : model.toLowerCase() === name.model.toLowerCase());
}

function tilesOf({ tiles }: StoredDocument['content']): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(tiles) ? tiles.filter(isRecord) : [];
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Returns the keys of columns in the settings of a chart. */
function columnsIn(settings: unknown, table: SettingTable = CHART_SETTINGS): readonly string[] {
  if (!isRecord(settings)) return [];
  return Object.entries(settings).flatMap(([name, value]) => {
    const setting = Object.hasOwn(table, name) ? table[name] : undefined;
    return setting === undefined ? [] : columnsOf(value, setting);
  });
}

function columnsOf(value: unknown, setting: Setting): readonly string[] {
  switch (setting.type) {
    case 'column':
      return typeof value === 'string' ? [value] : [];
    case 'list':
      return Array.isArray(value) ? value.flatMap((each) => columnsOf(each, setting.of)) : [];
    case 'map':
      return isRecord(value) ? Object.values(value).flatMap((each) => columnsOf(each, setting.of)) : [];
    case 'group':
      return columnsIn(value, setting.members);
    default:
      return [];
  }
}

/** Returns the documents that change by renamings, with their new texts. */
export async function carriedThrough(
  documents: readonly StoredDocument[],
  name: ModelName,
  renamings: readonly Renaming[],
): Promise<readonly StoredDocument[]> {
  if (renamings.length === 0) return [];
  const yieldTurn = cooperativeYield();
  const carried: StoredDocument[] = [];
  const ofModel = new Set(requestsOf(documents, name).map(({ path, tile }) => JSON.stringify([path, tile])));
  for (const document of documents) {
    await yieldTurn();
    const { path, text, content } = document;
    const names = (tile?: unknown) => ofModel.has(JSON.stringify([path, tile]));
    const next = path.endsWith(EXTENSION.query)
      ? names()
        ? renamedContent(content, renamings)
        : content
      : renamedDashboard(content, names, renamings);
    if (!isRecord(next) || JSON.stringify(next) === JSON.stringify(content)) continue;
    const indentation = /\n([ \t]+)\S/.exec(text)?.[1] ?? '';
    const end = /\s*$/.exec(text)?.[0] ?? '';
    carried.push({ path, text: `${JSON.stringify(next, undefined, indentation)}${end}`, content: next });
  }
  return carried;
}

/** Renames in the tiles that ask the model, and in the members of the dashboard that are about all its tiles. */
function renamedDashboard(
  content: StoredDocument['content'],
  asksModel: (tile: unknown) => boolean,
  renamings: readonly Renaming[],
): StoredDocument['content'] {
  const { tiles, filterable } = content;
  if (!Array.isArray(tiles) || !tiles.some((tile) => isRecord(tile) && asksModel(tile.id))) return content;
  return {
    ...content,
    tiles: tiles.map((tile: unknown) =>
      isRecord(tile) && asksModel(tile.id) ? renamedContent(tile, renamings) : tile,
    ),
    ...(filterable === undefined ? {} : { filterable: renamedContent(filterable, renamings) }),
  };
}
