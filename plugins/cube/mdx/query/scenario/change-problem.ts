import { MdxError } from '../../syntax/errors.ts';

/** A member of a change, or an entry of its list of members. */
export type ChangePath = readonly ['measure' | 'members' | 'value' | 'allocation'] | readonly ['members', number];

/** Returns a mistake in the change with this index. */
export function problem(index: number, path: ChangePath, message: string, available?: readonly string[]): MdxError {
  return new MdxError(message, undefined, available, ['scenario', 'changes', index, ...path]);
}
