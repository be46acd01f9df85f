import { z } from 'zod';
import { MalformedBodyError } from '../errors.ts';
import { withoutNulls } from '../without-nulls.ts';
import type { Route } from './routes.ts';

/** A file of a multipart body, kept in memory or on disk by the host. */
export interface UploadedFile {
  readonly name: string;
  readonly size: number;
  readonly path: string;
}

/** The longest name of a file, as file systems have it. */
const MAX_FILE_NAME_LENGTH = 255;

/** The schema of a file member of a multipart body. */
export const uploadedFile = z
  .custom<UploadedFile>(
    (value) => typeof value === 'object' && value !== null && 'path' in value && 'size' in value,
    'Send a file here, as multipart/form-data.',
  )
  .refine(
    ({ name }) => name.length <= MAX_FILE_NAME_LENGTH,
    `The name of a file has at most ${MAX_FILE_NAME_LENGTH} characters.`,
  );

export interface RestInput {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body, or `undefined` when there was none. */
  readonly body: unknown;
  readonly files: Readonly<Record<string, UploadedFile>>;
  /** Request headers by their names in small letters. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Assembles the procedure's input from path, query and body by the route's declaration. */
export function assembleInput(route: Route, { parameters, query, body, files, headers = {} }: RestInput): unknown {
  if (route.input === undefined) return undefined;
  const { rest } = route.meta;
  const input: Record<string, unknown> = rest.body === '*' ? wholeBody(route, body) : {};
  if (rest.body !== undefined && rest.body !== '*') {
    if (body === undefined && rest.bodyOptional !== true) throw noBody();
    if (body !== undefined) input[rest.body] = body;
  }
  if (rest.rawBody !== undefined) input[rest.rawBody] = body ?? '';
  for (const [member, name] of Object.entries(rest.requestHeaders ?? {})) {
    const value = headers[name];
    if (value !== undefined) input[member] = typeof value === 'string' ? value : value.join(', ');
  }
  for (const name of rest.query ?? []) {
    const texts = query.getAll(name);
    if (texts.length > 0) input[name] = fromText(memberSchema(route.input, name), texts);
  }
  return Object.assign(withoutNulls(route.input, input) as typeof input, parameters, files);
}

function noBody(): MalformedBodyError {
  return new MalformedBodyError('Send a JSON body with Content-Type: application/json.');
}

/** Takes the whole body as input. The body cannot set members of the path or the query, which have one source each. */
function wholeBody(route: Route, body: unknown): Record<string, unknown> {
  if (body === undefined) {
    const { rest } = route.meta;
    if (rest.bodyOptional === true || rest.files !== undefined) return {};
    throw noBody();
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new MalformedBodyError('The body must be a JSON object.');
  }
  const elsewhere = membersOutsideBody(route);
  return Object.fromEntries(Object.entries(body).filter(([key]) => !elsewhere.has(key)));
}

/** Returns the members of the input that path, query, files and headers give. */
export function membersOutsideBody({ meta, template }: Route): ReadonlySet<string> {
  return new Set([
    ...template.parameters,
    ...(meta.rest.query ?? []),
    ...(meta.rest.files ?? []),
    ...Object.keys(meta.rest.requestHeaders ?? {}),
  ]);
}

/** Returns whether a route's input has a member. */
export function hasMember({ input }: Route, name: PropertyKey | undefined): boolean {
  return input instanceof z.ZodObject && name !== undefined && Object.hasOwn(input.shape, name);
}

function memberSchema(input: z.ZodType, name: string): z.ZodType | undefined {
  const member: unknown = input instanceof z.ZodObject ? input.shape[name] : undefined;
  return member instanceof z.ZodType ? bare(member) : undefined;
}

function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    const inner: unknown = schema.unwrap();
    if (inner instanceof z.ZodType) return bare(inner);
  }
  return schema;
}

/** Converts a query parameter to the member's type. Text that is no such value is left for the schema to refuse. */
function fromText(schema: z.ZodType | undefined, texts: readonly string[]): unknown {
  const text = texts.at(-1) ?? '';
  if (schema instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (schema instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text;
  if (schema instanceof z.ZodArray) return texts.flatMap((each) => each.split(','));
  return text;
}
