import { inDoubleQuotes } from '../quoting.ts';
import { scalarTypeOf } from './types.ts';

/** The text of values that Trino does not cast to VARCHAR (checked on 476: `structured-values.test.ts` of the semantic surface). */

/** Types that have a JSON value of their own. */
const JSON_TYPES: ReadonlySet<string> = new Set([
  ...['boolean', 'tinyint', 'smallint', 'integer', 'bigint', 'real', 'double', 'decimal'],
  ...['varchar', 'date', 'timestamp', 'json', 'unknown'],
]);
/** Types of keys that a JSON object can have. */
const JSON_KEYS: ReadonlySet<string> = new Set([...JSON_TYPES].filter((type) => !/^(date|timestamp|json)$/.test(type)));
/** Types that are cast to VARCHAR. */
const TEXT_TYPES: ReadonlySet<string> = new Set([
  ...['char', 'uuid', 'ipaddress', 'time', 'time with time zone', 'timestamp', 'timestamp with time zone', 'date'],
  ...['interval year to month', 'interval day to second'],
]);

/**
 * Writes the text of a value: JSON of arrays, maps and rows, base64 of bytes.
 *
 * @returns `undefined` for types without a text: sketches, geometries, and structures that contain one
 */
export function trinoValueText(expression: string, nativeType: string): string | undefined {
  const name = typeName(nativeType);
  if (name === 'varbinary') return `to_base64(${expression})`;
  if (name === 'json') return `json_format(${expression})`;
  if (name !== 'array' && name !== 'map' && name !== 'row') {
    const isCast = scalarTypeOf(nativeType) !== 'other' || TEXT_TYPES.has(name);
    return isCast ? `CAST(${expression} AS VARCHAR)` : undefined;
  }
  const type = jsonType(nativeType);
  if (type === undefined) return undefined;
  return `json_format(CAST(${type === nativeType ? expression : `CAST(${expression} AS ${type})`} AS JSON))`;
}

/** Returns the type with a JSON form that a type is cast to: itself, or one with texts where JSON has no such values. */
function jsonType(type: string, scalars: ReadonlySet<string> = JSON_TYPES): string | undefined {
  const name = typeName(type);
  if (scalars === JSON_TYPES && (name === 'array' || name === 'map' || name === 'row')) {
    const members = splitAtCommas(type.slice(type.indexOf('(') + 1, -1));
    const written = members.map((member, index) => {
      if (name === 'map' && index === 0) return jsonType(member, JSON_KEYS);
      if (name !== 'row') return jsonType(member);
      const field = rowField(member);
      const inner = field === undefined ? undefined : jsonType(field[1]);
      return inner === undefined ? undefined : `${field?.[0]}${inner}`;
    });
    return written.includes(undefined) ? undefined : `${name}(${written.join(', ')})`;
  }
  if (scalars.has(name)) return type;
  return TEXT_TYPES.has(name) ? 'varchar' : undefined;
}

const TYPE_AT_END = new RegExp(
  `^(?:(.*?) )??((?:${[...JSON_TYPES, ...TEXT_TYPES, 'array', 'map', 'row'].join('|')})(?:\\(.*\\))?(?: with time zone)?)$`,
  'is',
);

/**
 * Splits a field of a row into its name, quoted and with a blank behind it, and its type; a field may have no name. The
 * catalogue writes names without quotes, blanks in them too. `undefined` for a type without a text.
 */
function rowField(member: string): readonly [name: string, type: string] | undefined {
  const [, name, type] = TYPE_AT_END.exec(member) ?? [];
  if (type === undefined) return undefined;
  if (name === undefined) return ['', type];
  return [`${inDoubleQuotes(name.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"'))} `, type];
}

/** Returns the name of a type without its parameters: `timestamp(3) with time zone` is `timestamp with time zone`. */
function typeName(type: string): string {
  const [, name = '', rest = ''] = /^(\w[\w ]*?)(?:\(.*\))?((?: with time zone)?)$/s.exec(type) ?? [];
  return `${name}${rest}`.toLowerCase();
}

/** Splits a list at its own commas, not at the ones in parentheses or quotes. */
function splitAtCommas(list: string): readonly string[] {
  const parts: string[] = [];
  let [depth, start, isQuoted] = [0, 0, false];
  for (const [at, character] of [...list.matchAll(/[(),"]/g)].map((match) => [match.index, match[0]] as const)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (depth === 0) {
      parts.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, list.slice(start).trim()];
}
