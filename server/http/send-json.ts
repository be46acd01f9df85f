import { createHash } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { cooperativeYield } from '../../router/cooperative-yield.ts';
import { isLong, jsonPieces } from '../../router/json-pieces.ts';
import {
  KEPT_ENCODINGS,
  type KeptBytes,
  type KeptEncoding,
  keptBytes,
  MIN_COMPRESSED_BYTES,
} from '../../router/kept-bytes.ts';
import { VIEW_AS_HEADER } from '../../router/view-as.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

export interface SendOptions {
  /** Sets an ETag, so that a caller with the same answer gets 304; not for long answers, which are sent in pieces. */
  readonly isTagged?: boolean;
  /** Lets the browser of the caller keep an answer with an ETag, and ask each time whether it still holds. */
  readonly isRevalidated?: boolean;
}

/** Headers that decide an answer besides its address: the same browser may read as somebody else later. */
const DECIDING_HEADERS = ['Accept-Encoding', 'Authorization', 'Cookie', VIEW_AS_HEADER].join(', ');

/** Sends a value as JSON: a kept or a short one at once, a long one in pieces, as fast as the caller reads. */
export async function sendJson(
  request: Request,
  response: Response,
  body: unknown,
  { isTagged = false, isRevalidated = false }: SendOptions = {},
): Promise<void> {
  response.type('application/json');
  if (isTagged && isRevalidated && !isLong(body)) {
    response.set('Cache-Control', 'private, no-cache');
    response.vary(DECIDING_HEADERS);
  }
  const tag = response.get('ETag');
  const kept = keptBytes(body);
  if (kept !== undefined) return sendKept(request, response, kept, isTagged && tag === undefined);
  if (!isLong(body)) {
    const text = JSON.stringify(body);
    if (!isTagged || text === undefined || !endsAsKnown(request, response, tag ?? answerTag(text))) response.send(text);
    return;
  }
  await sendPieces(response, jsonPieces(body));
}

/** Makes the ETag of an answer from its JSON. It is weak, because compression keeps it. */
function answerTag(json: string | Buffer): string {
  return `W/"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`;
}

/**
 * Sets the ETag of an answer, and ends it with 304 where the caller names this ETag. Express does not, if the caller also
 * sends `Cache-Control: no-cache`, as `fetch` does with every `If-None-Match`.
 */
function endsAsKnown(request: Request, response: Response, tag: string): boolean {
  response.set('ETag', tag);
  const known = request
    .get('if-none-match')
    ?.split(',')
    .map((each) => withoutWeakMark(each.trim()));
  if (known?.some((each) => each === withoutWeakMark(tag) || each === '*') !== true) return false;
  response.status(304).removeHeader('Content-Type');
  response.end();
  return true;
}

/** Removes the mark of a weak tag: `If-None-Match` compares without it (RFC 9110, 13.1.2), and proxies that compress add it. */
function withoutWeakMark(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

const tags = new WeakMap<Buffer, string>();

async function sendKept(request: Request, response: Response, kept: KeptBytes, isTagged: boolean): Promise<void> {
  if (isTagged) {
    const plain = await kept.plain();
    const tag = tags.get(plain) ?? answerTag(plain);
    tags.set(plain, tag);
    if (endsAsKnown(request, response, tag)) return;
  }
  const encoding = encodingOf(request);
  const compressed = encoding === undefined ? undefined : await kept.compressed(encoding);
  const bytes = compressed ?? (await kept.plain());
  if (response.destroyed) return;
  response.vary('Accept-Encoding');
  if (encoding !== undefined && compressed !== undefined) response.set('Content-Encoding', encoding);
  response.set('Content-Length', String(bytes.length));
  if (!isTagged && response.statusCode === 200) finished.set(bytes, headersOf(response));
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

const finished = new WeakMap<Buffer, readonly string[]>();

/** Returns the headers of an answer, without the id of its request. */
function headersOf(response: NamedHeaders): readonly string[] {
  const names = response.getRawHeaderNames?.() ?? response.getHeaderNames();
  return names.flatMap((name) => {
    const value = response.getHeader(name);
    if (name.toLowerCase() === REQUEST_ID_HEADER.toLowerCase()) return [];
    return (Array.isArray(value) ? value : [String(value)]).flatMap((each) => [name, each]);
  });
}

/** Node has the names as they were written for every message, its types only for requests. */
type NamedHeaders = Response & Partial<Pick<ClientRequest, 'getRawHeaderNames'>>;

/**
 * Returns the headers with which kept bytes were last sent as a whole answer, without the id of the request: names and
 * values, one after the other.
 */
export function finishedHeaders(bytes: Buffer): readonly string[] | undefined {
  return finished.get(bytes);
}

/** Returns the bytes of a kept answer as a caller takes them, where they are made and nothing would compress them on their way. */
export function readyBytes(request: IncomingMessage, kept: KeptBytes | undefined): Buffer | undefined {
  const accepted = request.headers['accept-encoding'];
  const isPlain = accepted === undefined || accepted === 'identity';
  const choice = isPlain ? { encoding: undefined } : encodings.get(String(accepted));
  if (choice === undefined) return undefined;
  const bytes = kept?.ready(choice.encoding);
  // Plain bytes for a caller of yet another encoding are compressed when they are sent.
  const isFinal = isPlain || choice.encoding !== undefined || (bytes?.length ?? 0) < MIN_COMPRESSED_BYTES;
  return isFinal ? bytes : undefined;
}

/** Encodings by the header of a request; few browsers and libraries send the most. */
const encodings = new LRUCache<string, { readonly encoding: KeptEncoding | undefined }>({ max: 100 });

function encodingOf(request: Request): KeptEncoding | undefined {
  const accepted = request.headers['accept-encoding'];
  if (typeof accepted !== 'string') return undefined;
  const known = encodings.get(accepted);
  if (known !== undefined) return known.encoding;
  const encoding = KEPT_ENCODINGS.find((each) => request.acceptsEncodings(each) === each);
  if (accepted.length < 200) encodings.set(accepted, { encoding });
  return encoding;
}

/** Sends texts one after the other, as fast as the caller reads, and ends the answer. */
export async function sendPieces(response: Response, pieces: Iterable<string>): Promise<void> {
  const yieldTurn = cooperativeYield();
  // One listener for all waits: the compression takes `drain` over and would not remove a second one.
  let goOn = (): void => undefined;
  response.on('drain', () => goOn());
  response.once('close', () => goOn());
  for (const piece of pieces) {
    const isFull = !response.write(piece);
    if (response.destroyed) return;
    if (isFull) {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    }
    await yieldTurn();
    if (response.destroyed) return;
  }
  response.end();
}
