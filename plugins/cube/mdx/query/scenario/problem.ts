import { MdxError } from '../../syntax/errors.ts';

/** Returns a mistake in the change with this index. */
export function problem(index: number, field: string, message: string, available?: readonly string[]): MdxError {
  return new MdxError(message, undefined, available, `scenario.changes[${index}].${field}`);
}
