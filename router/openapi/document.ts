/** The OpenAPI 3.1 document of all operations. Source of the format: OpenAPI Specification 3.1.1. */
import { ADMINISTRATOR_ROLE } from '../capabilities/identity.ts';
import { HTTP_STATUS } from '../errors.ts';
import { type JsonSchema, notNull } from '../json-schema.ts';
import type { Access, OperationMeta } from '../operation.ts';
import type { Route } from '../rest/routes.ts';
import { SchemaCollector } from './schemas.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** The path that the operations are served below, such as `/analytics`. */
  readonly basePath?: string;
}

/** Returns the whole document as plain JSON. Pure: the same routes give the same document. */
export function openApiDocument(routes: readonly Route[], { basePath = '', ...info }: OpenApiInfo): JsonSchema {
  const schemas = new SchemaCollector();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of [...routes].sort(byPath)) {
    const path = route.template.path.replaceAll('+}', '}');
    const item = paths[path] ?? {};
    item[route.meta.rest.method.toLowerCase()] = pathOperation(route, schemas);
    paths[path] = item;
  }
  const tags = new Map(routes.map(({ plugin }) => [plugin.name, { name: plugin.name, description: plugin.title }]));
  return {
    openapi: '3.1.1',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: basePath || '/' }],
    tags: [...tags.values()].sort((left, right) => (left.name < right.name ? -1 : 1)),
    paths,
    components: { schemas: schemas.all, securitySchemes: SECURITY_SCHEMES },
  };
}

function byPath(left: Route, right: Route): number {
  const [a, b] = [left, right].map(({ template, meta }) => `${template.path} ${meta.rest.method}`);
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'SERVICE_SESSION',
    description: 'Set by POST /login. Writing needs the X-XSRF-TOKEN header too.',
  },
  basic: { type: 'http', scheme: 'basic' },
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, or an access token of the identity provider.' },
  embedToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Embed-Token',
    description: 'Left out for public grants.',
  },
} as const;

const SECURITY: Readonly<Record<Access, readonly object[]>> = {
  public: [],
  user: [{ session: [] }, { basic: [] }, { apiKey: [] }],
  'signed-in': [{ session: [] }, { basic: [] }, { apiKey: [] }],
  'api-key': [{ apiKey: [] }],
  'administrator-key': [{ apiKey: [] }],
  administrator: [{ session: [] }, { basic: [] }, { apiKey: [] }],
  embed: [{ embedToken: [] }, {}],
};

/** The text about the roles that an operation requires; empty where any role will do. */
const NEEDED_ROLE: Readonly<Record<Access, string>> = {
  public: 'Anybody may call it, without signing in.',
  user: 'Every user may call it: with a session, with name and password, or with an API key.',
  'signed-in': `Every user may call it with a session or with name and password. An API key or access token needs the role \`${ADMINISTRATOR_ROLE}\` of the tenant: 403 otherwise.`,
  'api-key': 'Needs an API key or an access token, of any role.',
  'administrator-key': `Needs the role \`${ADMINISTRATOR_ROLE}\` of the tenant: 403 otherwise.`,
  administrator: `Needs the role \`${ADMINISTRATOR_ROLE}\` of the tenant: 403 otherwise.`,
  embed: 'Anybody may call it for a document that is public, or with an embed token for the document.',
};

function pathOperation(route: Route, schemas: SchemaCollector): JsonSchema {
  const { meta, plugin, procedure } = route;
  const input = route.input === undefined ? undefined : schemas.inline(route.input, 'input');
  const members = input && schemas.resolved(input);
  return {
    operationId: procedure,
    tags: [plugin.name],
    summary: meta.summary,
    ...describe(meta),
    security: SECURITY[meta.access],
    parameters: parameters(route, members),
    ...requestBody(route, input, members),
    responses: responses(route, schemas),
  };
}

/** Describes an operation in sentences: what it does, who may call it, and what of it the interface leaves open. */
function describe({ summary, access, description, implementationChoice }: OperationMeta): { description: string } {
  const parts = [
    description ?? `${summary}.`,
    NEEDED_ROLE[access],
    implementationChoice === undefined ? undefined : `**Implementation choice.** ${implementationChoice}`,
  ];
  return { description: parts.filter((part) => part !== undefined).join('\n\n') };
}

function parameters({ meta, template }: Route, input: JsonSchema | undefined): JsonSchema[] {
  const inPath = template.segments
    .filter((segment) => segment.kind !== 'literal')
    .map((segment) => ({
      name: segment.text,
      in: 'path',
      required: true,
      ...(segment.kind === 'many' ? { description: 'Several segments; their slashes are not URL-encoded.' } : {}),
      schema: notNull(member(input, segment.text)),
    }));
  const inQuery = (meta.rest.query ?? []).map((name) => {
    const { description, ...schema } = notNull(member(input, name));
    return {
      name,
      in: 'query',
      required: requiredMembers(input).includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
  const inHeader = Object.entries(meta.rest.requestHeaders ?? {}).map(([name, header]) => ({
    name: header,
    in: 'header',
    required: requiredMembers(input).includes(name),
    schema: notNull(member(input, name)),
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

function requestBody(
  { meta, template }: Route,
  input: JsonSchema | undefined,
  members: JsonSchema | undefined,
): JsonSchema {
  const { body, files = [], query = [], form, bodyOptional, rawBody, requestHeaders = {} } = meta.rest;
  if (rawBody !== undefined) return { requestBody: { required: true, content: { '*/*': { schema: {} } } } };
  if ((body === undefined && files.length === 0) || input === undefined || members === undefined) return {};
  const elsewhere = [...template.parameters, ...query, ...Object.keys(requestHeaders)];
  const isWhole = body === undefined || body === '*';
  const schema = !isWhole ? member(members, body) : elsewhere.length === 0 ? input : without(members, elsewhere);
  const types =
    files.length > 0
      ? ['multipart/form-data']
      : ['application/json', ...(form ? ['application/x-www-form-urlencoded'] : [])];
  return {
    requestBody: {
      required: bodyOptional !== true,
      content: Object.fromEntries(types.map((type) => [type, { schema: withFiles(schema, files) }])),
    },
  };
}

function withFiles(schema: JsonSchema, files: readonly string[]): JsonSchema {
  if (files.length === 0) return schema;
  const properties = Object.fromEntries(
    Object.entries(propertiesOf(schema)).map(([name, member]) => [name, notNull(member)]),
  );
  for (const name of files) properties[name] = { type: 'string', contentMediaType: 'application/octet-stream' };
  return { ...schema, properties };
}

function responses({ meta, output }: Route, schemas: SchemaCollector): JsonSchema {
  const { status = 200, contentType = 'application/json', fileTypes = [] } = meta.rest;
  const codes = typeof status === 'number' ? [status] : status.codes;
  const schema = output === undefined ? undefined : schemas.inline(output, 'output');
  const files = fileTypes.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]);
  const success = codes.map((code) => [
    String(code),
    {
      description: code === 202 ? 'Accepted' : 'OK',
      ...(schema === undefined ? {} : { content: { [contentType]: { schema }, ...Object.fromEntries(files) } }),
    },
  ]);
  const error = { content: { 'application/json': { schema: schemas.error } } };
  return {
    ...Object.fromEntries(success),
    ...(meta.rest.isRevalidated === true
      ? { 304: { description: 'The answer with the ETag of `If-None-Match` still holds' } }
      : {}),
    ...(meta.access === 'public'
      ? {}
      : { [HTTP_STATUS.UNAUTHENTICATED]: { description: 'Not authenticated', ...error } }),
    ...(NEEDED_ROLE[meta.access] === undefined
      ? {}
      : { [HTTP_STATUS.FORBIDDEN]: { description: 'The role is missing', ...error } }),
    default: { description: 'An error, in the envelope of this surface', ...error },
  };
}

function propertiesOf(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  const properties = schema?.properties;
  return typeof properties === 'object' && properties !== null ? (properties as Record<string, JsonSchema>) : {};
}

function requiredMembers(schema: JsonSchema | undefined): readonly string[] {
  const required = schema?.required;
  return Array.isArray(required) ? required.map(String) : [];
}

function member(schema: JsonSchema | undefined, name: string): JsonSchema {
  return propertiesOf(schema)[name] ?? {};
}

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = Object.entries(propertiesOf(schema)).filter(([name]) => !names.includes(name));
  const required = requiredMembers(schema).filter((name) => !names.includes(name));
  const { required: _, ...rest } = schema;
  return { ...rest, properties: Object.fromEntries(properties), ...(required.length === 0 ? {} : { required }) };
}
