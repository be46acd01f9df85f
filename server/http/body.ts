import type { IncomingMessage } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Caller } from '../../router/capabilities/identity.ts';
import { diskFull, isDiskFull } from '../../router/disk-full.ts';
import { BodyTooLargeError, MalformedBodyError, ServiceError, UnsupportedMediaTypeError } from '../../router/errors.ts';
import { readJson } from '../../router/json.ts';
import type { UploadedFile } from '../../router/rest/input.ts';
import type { Route } from '../../router/rest/routes.ts';
import { type ReceivedUpload, type UploadLimits, UploadReceiver } from './uploads/receive.ts';

/** A request's body for its route. `release` deletes uploaded files. */
export interface ReadBody {
  readonly body: unknown;
  readonly json: boolean;
  readonly files: Readonly<Record<string, UploadedFile>>;
  release(): Promise<void>;
}

export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly uploads: UploadLimits;
}

/** The result for a body that is missing, or that the route does not read. */
export const UNREAD_BODY: ReadBody = { body: undefined, json: true, files: {}, release: async () => {} };

export type BodyReader = (route: Route, request: Request, response: Response, caller: Caller) => Promise<ReadBody>;

/** Reads bodies by the route's declaration: JSON, a form where the operation accepts one, or multipart. */
export function bodyReader({ maxBodyBytes, uploads }: BodyLimits): BodyReader {
  const text = textReader(maxBodyBytes);
  const form = express.urlencoded({ limit: maxBodyBytes, extended: false, type: () => true });
  const receiver = new UploadReceiver(uploads);

  return async (route, request, response, caller) => {
    const { body, bodyOptional, files = [], form: takesForm, rawBody, maxJsonValues } = route.meta.rest;
    if (rawBody !== undefined) return { ...UNREAD_BODY, body: await text(request, response) };
    if (body === undefined && files.length === 0) return UNREAD_BODY;
    if (!hasBody(request)) return UNREAD_BODY;
    if (files.length > 0) {
      requireType(request, ['multipart/form-data']);
      const sender = caller.kind === 'user' ? JSON.stringify([caller.tenant, caller.user]) : (request.ip ?? '');
      return uploaded(await receiver.receive(request, response, { parts: files, sender, run: runMiddleware }));
    }
    const type = requireType(
      request,
      takesForm ? ['application/json', 'application/x-www-form-urlencoded'] : ['application/json'],
    );
    if (type === 'application/json') {
      const sent = await text(request, response);
      if (sent === '' && bodyOptional !== true) throw new MalformedBodyError('The body is empty.');
      return { ...UNREAD_BODY, body: sent === '' ? undefined : readJson(sent, maxJsonValues) };
    }
    await runMiddleware(form, request, response);
    if (request.body === undefined && bodyOptional !== true) throw new MalformedBodyError('The body is empty.');
    return { ...UNREAD_BODY, body: request.body, json: false };
  };
}

/** Reads a JSON body as text, decompressed and in the encodings of JSON; empty where there is no body. */
export function textReader(maxBodyBytes: number): (request: Request, response: Response) => Promise<string> {
  const read = express.text({ limit: maxBodyBytes, type: () => true });
  return async (request, response) => {
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
    if (!/^utf-/i.test(charset)) throw unreadable();
    await runMiddleware(read, request, response);
    const { body }: { readonly body?: unknown } = request;
    return typeof body === 'string' ? body : '';
  };
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function requireType(request: Request, accepted: readonly string[]): string {
  const type = accepted.find((each) => request.is(each));
  if (type === undefined)
    throw new UnsupportedMediaTypeError(`Send the body as Content-Type: ${accepted.join(' or ')}.`);
  return type;
}

function runMiddleware(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void handler(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(refusal(error))));
  });
}

/** Translates errors of the body parsers, because their messages repeat the sender's text. */
function refusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isDiskFull(error)) return diskFull(error);
  const { type, code } = error as { readonly type?: string; readonly code?: string };
  if (type === 'entity.too.large' || code === 'LIMIT_FILE_SIZE')
    return new BodyTooLargeError('The body is too large.', { cause: error });
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') return unreadable(error);
  if (code === 'LIMIT_UNEXPECTED_FILE')
    return new MalformedBodyError('There is a file part that this operation does not take.', { cause: error });
  return new MalformedBodyError('The body cannot be read.', { cause: error });
}

function unreadable(cause?: unknown): UnsupportedMediaTypeError {
  return new UnsupportedMediaTypeError('Send the body as UTF-8, plain or compressed with gzip, deflate or br.', {
    cause,
  });
}

function uploaded({ files: parts, fields, release }: ReceivedUpload): ReadBody {
  const files: Record<string, UploadedFile> = {};
  for (const [member, [file]] of Object.entries(parts)) {
    if (file !== undefined) files[member] = { name: file.originalname, size: file.size, path: file.path };
  }
  return { body: { ...Object(fields) }, json: false, files, release };
}
