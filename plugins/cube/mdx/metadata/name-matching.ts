import { itemsNamed } from '../../schema/mdx-name.ts';
import { MdxError } from '../syntax/errors.ts';

/** An element that queries can name: a dimension, hierarchy, level or member. */
interface Named {
  readonly name: string;
  readonly uniqueName: string;
}

/** A name matches several items in letter case only, and none of them exactly. */
export class AmbiguousNameError extends MdxError {
  readonly items: readonly Named[];

  constructor(name: string, items: readonly Named[]) {
    super(
      severalMessage(name),
      undefined,
      items.map(({ uniqueName }) => uniqueName),
    );
    this.items = items;
  }
}

/**
 * Returns the first item with exactly this name, or else the item with this name in any letter case.
 *
 * @throws AmbiguousNameError if items of different spelling match in letter case only
 */
export function oneNamed<Item extends Named>(
  items: readonly Item[],
  name: string,
  namesOf: (item: Item) => readonly string[] = (item) => [item.name],
): Item | undefined {
  const matches = itemsNamed(items, name, namesOf);
  const [first] = matches;
  if (first === undefined || namesOf(first).includes(name)) return first;
  if (matches.some((other) => other.name !== first.name)) throw new AmbiguousNameError(name, matches);
  return first;
}

/**
 * Returns the value of a name, exactly or in any letter case.
 *
 * @throws MdxError if several names match in letter case only
 */
export function valueNamed<Value>(values: ReadonlyMap<string, Value>, name: string): Value | undefined {
  const key = values.size === 0 || values.has(name) ? name : nameAmong([...values.keys()], name);
  return key === undefined ? undefined : values.get(key);
}

/**
 * Returns the matching name of a list, exactly or in any letter case.
 *
 * @throws MdxError if several names match in letter case only
 */
export function nameAmong(names: readonly string[], name: string): string | undefined {
  const [first, ...others] = itemsNamed(names, name, (each) => [each]);
  if (first !== undefined && first !== name && others.length > 0)
    throw new MdxError(severalMessage(name), undefined, [first, ...others]);
  return first;
}

function severalMessage(name: string): string {
  return `'${name}' is a name of several, which differ in letter case; write one of them exactly.`;
}
