import { MdxError } from '../../syntax/errors.ts';

/** The path of a field in a change, or of an entry in its list of members. */
export type ChangePath = readonly ['measure' | 'members' | 'value' | 'allocation'] | readonly ['members', number];

/** Returns the error of a mistake in the change with this index. */
export function problem(index: number, path: ChangePath, message: string, available?: readonly string[]): MdxError {
  return new MdxError(message, undefined, available, ['scenario', 'changes', index, ...path]);
}
