import { MalformedBodyError, ValidationError } from '../../../router/errors.ts';
import { readJson } from '../../../router/json.ts';
import { parseInput } from '../../../router/parse-input.ts';
import { AskBox } from './ask-box.ts';
import { Dashboard } from './dashboard.ts';
import type { DocumentKind } from './kinds.ts';
import { SavedQuery } from './saved-query.ts';

/** A document with the kind that its extension gave it. */
export type RepositoryDocument =
  | { readonly kind: 'query'; readonly document: SavedQuery }
  | { readonly kind: 'dashboard'; readonly document: Dashboard }
  | { readonly kind: 'ai'; readonly document: AskBox };

/**
 * Reads the text of a saved query. Does not check its surface and request.
 *
 * @throws ValidationError with the path of each problem from the document: `source.surface`.
 */
export function parseSavedQuery(text: string): SavedQuery {
  return parseInput(SavedQuery, json(text));
}

/**
 * Reads the text of a dashboard. Does not check whether the saved queries of its tiles exist.
 *
 * @throws ValidationError with the path of each problem from the document: `tiles[2].w`.
 */
export function parseDashboard(text: string): Dashboard {
  return parseInput(Dashboard, json(text));
}

/**
 * Reads the text of an ask box. Does not check whether its model or cube exists.
 *
 * @throws ValidationError with the path of each problem from the document: `source.target`.
 */
export function parseAskBox(text: string): AskBox {
  return parseInput(AskBox, json(text));
}

/** Reads a document's text as the kind it must be. */
export function parseDocument(kind: DocumentKind, text: string): RepositoryDocument {
  return checkDocument(kind, json(text));
}

/** Checks a document that is already a value. */
export function checkDocument(kind: DocumentKind, value: unknown): RepositoryDocument {
  switch (kind) {
    case 'query':
      return { kind, document: parseInput(SavedQuery, value) };
    case 'dashboard':
      return { kind, document: parseInput(Dashboard, value) };
    case 'ai':
      return { kind, document: parseInput(AskBox, value) };
  }
}

function json(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof MalformedBodyError) throw ValidationError.at([], 'This document is not JSON.');
    throw error;
  }
}
