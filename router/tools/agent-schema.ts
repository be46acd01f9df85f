/** Shortens the JSON Schemas of tools, which stay in an agent's context for a whole conversation. */
import type { JsonSchema } from '../json-schema.ts';
import { isRecord } from '../record.ts';

const DEFINITIONS = '#/$defs/';

/** Characters from which a repeated schema is written once and referred to. */
const MIN_SHARED = 100;

/** Members of a schema that hold schemas by a name, and members that hold one schema or a list of schemas. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', '$defs']);
const NESTED: ReadonlySet<string> = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'not', 'additionalProperties']);

/** Returns an equal schema in which each long schema that occurs more than once is a definition. */
export function withSharedParts(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>();
  // The parts of a repeated schema are not repeated by it: it is written once.
  const count = (part: JsonSchema): void => {
    const text = JSON.stringify(part);
    const times = (counts.get(text) ?? 0) + 1;
    if (text.length >= MIN_SHARED && part !== schema) counts.set(text, times);
    if (times > 1) return;
    mapped(part, '', (inner) => {
      count(inner);
      return inner;
    });
  };
  count(schema);
  const names = new Map<string, string>();
  const definitions: Record<string, JsonSchema> = {};
  const taken = new Set(Object.keys(isRecord(schema.$defs) ? schema.$defs : {}));
  const shared = (part: JsonSchema, place: string): JsonSchema => {
    const text = JSON.stringify(part);
    if (part === schema || (counts.get(text) ?? 0) < 2) return mapped(part, place, shared);
    const known = names.get(text);
    if (known !== undefined) return { $ref: DEFINITIONS + known };
    const name = freeName(place, taken);
    names.set(text, name);
    definitions[name] = mapped(part, place, shared);
    return { $ref: DEFINITIONS + name };
  };
  const result = mapped(schema, '', shared);
  const all = { ...(isRecord(result.$defs) ? result.$defs : {}), ...definitions };
  return Object.keys(all).length === 0 ? result : { ...result, $defs: all };
}

function freeName(place: string, taken: Set<string>): string {
  const base = `${place.charAt(0).toUpperCase()}${place.slice(1)}`;
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}${number}`;
  taken.add(name);
  return name;
}

/**
 * Returns a schema without references, for clients that do not follow them. A schema inside itself is any object there, and a
 * description is written where it comes first: the service checks every call by the whole schema.
 */
export function withoutReferences({ $defs, ...schema }: JsonSchema): JsonSchema {
  const definitions = isRecord($defs) ? $defs : {};
  const described = new Set<string>();
  const inlined = (part: JsonSchema, place: string, within: readonly string[]): JsonSchema => {
    const { $ref, ...beside } = part;
    if (typeof $ref !== 'string') {
      const { description, ...bare } = mapped(part, place, (inner, innerPlace) => inlined(inner, innerPlace, within));
      const isNew = typeof description === 'string' && !described.has(description);
      if (isNew) described.add(description);
      const short = withoutListedAgain(bare, described);
      return isNew ? { ...short, description } : short;
    }
    const name = $ref.slice(DEFINITIONS.length);
    const target = definitions[name];
    if (!isRecord(target) || within.includes(name)) return { type: 'object' };
    return inlined({ ...target, ...beside }, place, [...within, name]);
  };
  return inlined(schema, '', []);
}

/**
 * Returns a schema without a list of texts that a pattern beside it admits, where the list was `written` before: both schemas admit the same.
 */
function withoutListedAgain({ anyOf, ...beside }: JsonSchema, written: Set<string>): JsonSchema {
  if (!Array.isArray(anyOf)) return beside;
  const forms = anyOf.filter(isRecord);
  const patterns = forms.flatMap(({ pattern }) => (typeof pattern === 'string' ? [new RegExp(pattern, 'u')] : []));
  const kept = forms.filter(({ enum: listed }) => {
    if (!Array.isArray(listed)) return true;
    const isAdmitted = listed.every((text) => typeof text === 'string' && patterns.some((each) => each.test(text)));
    const text = JSON.stringify(listed);
    if (!isAdmitted || !written.has(text)) {
      written.add(text);
      return true;
    }
    return false;
  });
  if (kept.length === forms.length) return { anyOf, ...beside };
  const [only, ...others] = kept;
  return others.length === 0 ? { ...only, ...beside } : { anyOf: kept, ...beside };
}

/**
 * Returns the outline of a schema: its members with their types. It is for a tool that takes the request of another tool, which has the
 * whole schema.
 */
export function outlineOf(schema: JsonSchema): JsonSchema {
  const { properties, required, type } = schema;
  const members = isRecord(properties) ? Object.entries(properties) : [];
  return {
    type,
    properties: Object.fromEntries(members.map(([name, member]) => [name, typeOnly(member)])),
    ...(Array.isArray(required) ? { required } : {}),
  };
}

function typeOnly(member: unknown): JsonSchema {
  if (!isRecord(member)) return {};
  if (Array.isArray(member.type)) return { type: member.type.find((each) => each !== 'null') as unknown };
  return typeof member.type === 'string' ? { type: member.type } : {};
}

type Change = (part: JsonSchema, place: string) => JsonSchema;

/** Returns a schema with changed schemas directly inside it. `place` is the name of the member that it describes. */
function mapped(schema: JsonSchema, place: string, change: Change): JsonSchema {
  const entries = Object.entries(schema).map(([key, member]): [string, unknown] => {
    if (BY_NAME.has(key) && isRecord(member)) {
      const parts = Object.entries(member).map(([name, part]): [string, unknown] => [
        name,
        isRecord(part) ? (key === '$defs' ? mapped(part, name, change) : change(part, name)) : part,
      ]);
      return [key, Object.fromEntries(parts)];
    }
    if (!NESTED.has(key)) return [key, member];
    if (Array.isArray(member)) return [key, member.map((part) => (isRecord(part) ? change(part, place) : part))];
    return [key, isRecord(member) ? change(member, place) : member];
  });
  return Object.fromEntries(entries);
}
