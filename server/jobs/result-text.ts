/** Writes and reads results as text without blocking the event loop. */
import { cooperativeYield } from '../../router/cooperative-yield.ts';
import { isLong, LONG_LIST } from '../../router/json-pieces.ts';

/** Characters of a line, into which a long list is cut. */
const LINE_LENGTH = 32_768;

type Path = readonly (string | number)[];

/** A long list, and its place in the value. */
interface LongList {
  readonly path: Path;
  readonly entries: readonly unknown[];
}

/**
 * Returns the text of a JSON value: a line with the value without its long lists, and a line for each piece of these lists, with the list's place. No
 * line takes long to write or to read.
 */
export async function resultText(value: unknown): Promise<string> {
  const yieldTurn = cooperativeYield();
  const lists: LongList[] = [];
  const lines = [JSON.stringify(withoutLongLists(value, [], lists) ?? null)];
  for (const { path, entries } of lists) {
    const place = JSON.stringify(path);
    let gathered: string[] = [];
    let length = 0;
    const close = (): void => {
      lines.push(`[${place},[${gathered.join(',')}]]`);
      gathered = [];
      length = 0;
    };
    for (const entry of entries) {
      const text = JSON.stringify(entry) ?? 'null';
      gathered.push(text);
      length += text.length;
      if (length < LINE_LENGTH) continue;
      close();
      await yieldTurn();
    }
    close();
  }
  return lines.join('\n');
}

/** Reads what `resultText` wrote. */
export async function resultOf(text: string): Promise<unknown> {
  const yieldTurn = cooperativeYield();
  let value: unknown;
  for (let begin = 0; begin <= text.length; ) {
    const newline = text.indexOf('\n', begin);
    const end = newline < 0 ? text.length : newline;
    const line: unknown = JSON.parse(text.slice(begin, end));
    if (begin === 0) value = line;
    else value = withEntries(value, line as readonly [Path, readonly unknown[]]);
    begin = end + 1;
    await yieldTurn();
  }
  return value;
}

function withEntries(value: unknown, [path, entries]: readonly [Path, readonly unknown[]]): unknown {
  let list = value;
  for (const part of path) list = Reflect.get(Object(list), part);
  if (Array.isArray(list)) for (const entry of entries) list.push(entry);
  return value;
}

/** Returns the value with empty lists in the place of long ones. Lists inside a long list stay in its entries. */
function withoutLongLists(value: unknown, path: Path, longLists: LongList[]): unknown {
  if (!isLong(value, path.length)) return value;
  if (Array.isArray(value)) {
    if (value.length <= LONG_LIST) return value.map((entry, at) => withoutLongLists(entry, [...path, at], longLists));
    longLists.push({ path, entries: value });
    return [];
  }
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, member]) => [name, withoutLongLists(member, [...path, name], longLists)]),
  );
}
