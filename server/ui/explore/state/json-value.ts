/** Values of JSON, and readers of their members that accept any shape. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

/** One member of a list of a request: a reference to a field, a metric, a filter, a sort. */
export type Item = JsonObject;

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a member that is text; undefined where it is none. */
export function textOf(item: JsonObject, name: string): string | undefined {
  const value = item[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns a member that is a number; undefined where it is none. */
export function numberOf(item: JsonObject, name: string): number | undefined {
  const value = item[name];
  return typeof value === 'number' ? value : undefined;
}

/** Returns the items of a list; none where the member is no list. */
export function itemsOf(item: JsonObject, name: string): readonly Item[] {
  const value = item[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns the values of a list; none where the member is no list. */
export function valuesOf(item: JsonObject, name: string): readonly JsonValue[] {
  const value = item[name];
  return isList(value) ? value : [];
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns the item without the members that are undefined. */
export function compact(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}

/** Returns the item with other members; those that are undefined are removed. */
export function withMembers(item: JsonObject, members: JsonObject): JsonObject {
  return compact({ ...item, ...members });
}

/** Returns the item with another value at a path such as `['filters', 0, 'value']`. */
export function withValueAt(item: JsonValue, path: readonly (string | number)[], value: JsonValue): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (isList(item)) return item.map((each, at) => (at === step ? withValueAt(each, rest, value) : each));
  const object = isJsonObject(item) ? item : {};
  return { ...object, [step]: withValueAt(object[step] ?? {}, rest, value) };
}
