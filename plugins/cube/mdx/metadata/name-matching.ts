import { calledSo } from '../../schema/mdx-name.ts';
import { MdxError } from '../syntax/errors.ts';

/** Something that queries name: a dimension, hierarchy, level or member. */
interface Named {
  readonly name: string;
  readonly uniqueName: string;
}

/** A name stands for several items that differ in letter case, and for none of them as it is written. */
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
 * Returns the first item that is called exactly so, else the one that is called so regardless of letter case.
 *
 * @throws AmbiguousNameError where items of different spelling are called so regardless of letter case
 */
export function oneNamed<Item extends Named>(
  items: readonly Item[],
  name: string,
  namesOf: (item: Item) => readonly string[] = (item) => [item.name],
): Item | undefined {
  const called = calledSo(items, name, namesOf);
  const [first] = called;
  if (first === undefined || namesOf(first).includes(name)) return first;
  if (called.some((other) => other.name !== first.name)) throw new AmbiguousNameError(name, called);
  return first;
}

/**
 * Returns what a map has under a name, exactly or regardless of letter case.
 *
 * @throws MdxError where it has several under names that differ from it in letter case
 */
export function valueNamed<Value>(values: ReadonlyMap<string, Value>, name: string): Value | undefined {
  const key = values.size === 0 || values.has(name) ? name : nameAmong([...values.keys()], name);
  return key === undefined ? undefined : values.get(key);
}

/**
 * Returns which of some names is meant by one, exactly or regardless of letter case.
 *
 * @throws MdxError where several differ from it in letter case, and none is it exactly
 */
export function nameAmong(names: readonly string[], name: string): string | undefined {
  const [first, ...others] = calledSo(names, name, (each) => [each]);
  if (first !== undefined && first !== name && others.length > 0)
    throw new MdxError(severalMessage(name), undefined, [first, ...others]);
  return first;
}

function severalMessage(name: string): string {
  return `'${name}' is a name of several, which differ in letter case; write one of them exactly.`;
}
