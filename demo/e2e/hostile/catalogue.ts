/** Creates requests that nobody sends by mistake, for each operation from its schema. */

type Json = Readonly<Record<string, unknown>>;

export interface Operation {
  /** `semantic.query`: also its name in the typed client. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  /** JSON Schema of the JSON body; `undefined` for an operation without one. */
  readonly body: Json | undefined;
}

export interface Hostile {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** The only correct status; without it any status below 500. */
  readonly expectedStatus?: number;
}

/** Bytes of a body just below the product's size limit of 2 MiB. */
const LARGEST = 2_000_000;
/** Number of entries in a list without a bound: about as many as a body allows. */
const UNBOUNDED_ENTRIES = 20_000;
/** Characters of an address that Node still accepts. */
const MAX_ADDRESS_LENGTH = 12_000;
const UNKNOWN_MEMBERS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

function fill(text: string, length: number): string {
  return text.repeat(Math.floor(length / text.length));
}

const LONG_TEXTS = { brackets: '[', 'names in a row': '[a].Parent.' } as const;

/** Returns every operation of an OpenAPI document. */
export function listOperations(document: Json): readonly Operation[] {
  const paths = document.paths as Record<string, Record<string, Json>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: String(operation.operationId),
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []) as Operation['parameters'],
      body: jsonBody(operation, document),
    })),
  );
}

function jsonBody(operation: Json, document: Json): Json | undefined {
  const content = (operation.requestBody as Json | undefined)?.content as Record<string, { schema?: Json }> | undefined;
  const schema = content?.['application/json']?.schema;
  return schema === undefined ? undefined : resolved(schema, document);
}

/** Returns the schema with resolved references. */
function resolved(schema: Json, document: Json, depth = 0): Json {
  if (depth > 12) return {};
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const { schemas } = document.components as { readonly schemas: Record<string, Json> };
    return resolved(schemas[name] ?? {}, document, depth + 1);
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? value.map((each: unknown) => (isObject(each) ? resolved(each, document, depth + 1) : each))
        : isObject(value)
          ? resolved(value, document, depth + 1)
          : value,
    ]),
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns all hostile requests to an operation. `good` is a body that it accepts. */
export function hostileRequests(operation: Operation, good: Json): readonly Hostile[] {
  return [
    ...addresses(operation),
    ...(operation.body === undefined ? [] : bodies(operation, operation.body, good)),
    ...typedCalls(operation, good),
  ];
}

function addresses({ method, path, parameters }: Operation): readonly Hostile[] {
  return parameters
    .filter((parameter) => parameter.in === 'path' || parameter.in === 'query')
    .flatMap((parameter) =>
      (
        [
          ['names in a row', LONG_TEXTS['names in a row']],
          ['deep JSON', '[{"a":'],
          ['conditions', '{"field":"a.b","op":"EQ","values":[1]},'],
        ] as const
      ).map(([kind, unit]) => {
        const text = encodeURIComponent(kind === 'conditions' ? `[${fill(unit, 5_000)}1]` : fill(unit, 5_000));
        const value = text.slice(0, MAX_ADDRESS_LENGTH).replace(/%.?$/, '');
        const filled = path.replaceAll(/\{(\w+)\+?\}/g, (_, name) => (name === parameter.name ? value : 'x'));
        return {
          what: `${parameter.in} ${parameter.name}: ${kind}`,
          method,
          path: parameter.in === 'path' ? filled : `${filled}?${parameter.name}=${value}`,
        };
      }),
    );
}

function bodies({ method, path }: Operation, schema: Json, good: Json): readonly Hostile[] {
  const address = path.replaceAll(/\{\w+\+?\}/g, 'x');
  const raw: readonly (readonly [string, string])[] = [
    ['lists in lists', fill('[', LARGEST)],
    ['objects in objects', fill('{"a":', LARGEST)],
    ['closed lists in lists', `{"a":${fill('[', 500_000)}${fill(']', 500_000)}}`],
    ['numbers', `[${fill('1,', LARGEST)}1]`],
    ['long numbers', `[${fill('12345678901234567890123456789012345678,', LARGEST)}1]`],
    ['one long number', fill('7', LARGEST)],
    ['a text that does not end', `{"a":"${fill('x', LARGEST)}`],
    ['a text of escapes', `{"a":"${fill('\\"', LARGEST)}"}`],
    ['no JSON', fill('}', LARGEST)],
    ['members', JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`m${n}`, n])))],
    [
      'unknown members',
      JSON.stringify({ ...good, ...Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`m${n}`, n])) }),
    ],
  ];
  return [
    ...raw.map(([what, body]) => ({ what, method, path: address, body })),
    ...UNKNOWN_MEMBERS.map((name) => ({
      what: `the member ${name}`,
      method,
      path: address,
      body: `{${JSON.stringify(name)}: {"a": 1}, ${JSON.stringify(good).slice(1)}`.replace(/, }$/, '}'),
    })),
    ...places(schema, []).flatMap(({ at, schema: placeSchema }) =>
      values(placeSchema).flatMap(([what, value]) => {
        const body = JSON.stringify(withValue(good, at, value));
        return body.length > LARGEST + 90_000
          ? []
          : [{ what: `${at.join('.')}: ${what}`, method, path: address, body }];
      }),
    ),
  ];
}

type Step = string | 0;

/** Lists every place of a body in its schema. The first entry of a list stands for all entries. */
function places(schema: Json, at: readonly Step[]): readonly { readonly at: readonly Step[]; readonly schema: Json }[] {
  const here = at.length === 0 ? [] : [{ at, schema }];
  if (at.length > 8) return here;
  const branches = [schema, ...asList(schema.anyOf), ...asList(schema.oneOf), ...asList(schema.allOf)];
  const below = branches.flatMap((branch) => [
    ...Object.entries(isObject(branch.properties) ? branch.properties : {}).flatMap(([name, inner]) =>
      isObject(inner) ? places(inner, [...at, name]) : [],
    ),
    ...(isObject(branch.items) ? places(branch.items, [...at, 0]) : []),
  ]);
  return [...here, ...below];
}

function asList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/**
 * Lists the largest legal values of a place. Larger values are refused the same way everywhere before a place is read,
 * so the bodies above cover them.
 */
function values(schema: Json): readonly (readonly [string, unknown])[] {
  if (schema.type === 'array') {
    const most = typeof schema.maxItems === 'number' ? schema.maxItems : UNBOUNDED_ENTRIES;
    return [
      ['as many names as it takes, all unknown', unknown(schema.items, most)],
      ['one name as often as it takes', Array(Math.min(most, UNBOUNDED_ENTRIES)).fill(unknown(schema.items, 1)[0])],
    ];
  }
  if (schema.type !== 'string' && schema.type !== undefined) return [['a text', 'x']];
  const longest = typeof schema.maxLength === 'number' ? schema.maxLength : LARGEST / 4;
  return (['brackets', 'names in a row'] as const).map((kind) => [
    `as many ${kind} as it takes`,
    fill(LONG_TEXTS[kind], longest),
  ]);
}

function unknown(items: unknown, count: number): readonly unknown[] {
  return Array.from({ length: Math.min(count, UNBOUNDED_ENTRIES) }, (_, index) => instance(items, index));
}

/** Creates a value that fits the schema and names nothing that exists. */
function instance(schema: unknown, index: number): unknown {
  if (!isObject(schema)) return `unknown ${index}`;
  if (Array.isArray(schema.enum)) return schema.enum[index % schema.enum.length];
  const [branch] = [...asList(schema.anyOf), ...asList(schema.oneOf)];
  if (branch !== undefined) return instance(branch, index);
  if (schema.type === 'array') return [instance(schema.items, index)];
  if (schema.type === 'integer' || schema.type === 'number') return index + 1;
  if (schema.type === 'boolean') return true;
  if (!isObject(schema.properties)) return `unknown ${index}`;
  const required = Array.isArray(schema.required) ? schema.required : Object.keys(schema.properties);
  return Object.fromEntries(
    Object.entries(schema.properties)
      .filter(([name]) => required.includes(name))
      .map(([name, inner]) => [name, instance(inner, index)]),
  );
}

function withValue(into: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
  if (step === undefined) return value;
  if (step === 0) return [withValue(Array.isArray(into) ? into[0] : undefined, rest, value)];
  const object = isObject(into) ? into : {};
  return { ...object, [step]: withValue(object[step], rest, value) };
}

function typedCalls({ name, method }: Operation, good: Json): readonly Hostile[] {
  const path = `/rest/service/api/trpc/${name}`;
  if (method === 'GET') {
    const deep = encodeURIComponent(fill('[', 3_000));
    return [
      { what: 'typed: deep', method, path: `${path}?input=${deep}` },
      {
        what: 'typed: an unknown member',
        method,
        path: `${path}?input=${encodeURIComponent('{"__proto__":{"a":1}}')}`,
      },
    ];
  }
  const batch = Object.fromEntries(Array(200).fill(good).entries());
  return [
    { what: 'typed: lists in lists', method: 'POST', path, body: fill('[', LARGEST), expectedStatus: 400 },
    { what: 'typed: numbers', method: 'POST', path, body: `[${fill('1,', LARGEST)}1]`, expectedStatus: 400 },
    {
      what: 'typed: a batch of 200',
      method: 'POST',
      path: `/rest/service/api/trpc/${Array(200).fill(name).join(',')}?batch=1`,
      body: JSON.stringify(batch),
      expectedStatus: 400,
    },
  ];
}
