/** A command that cannot be carried out, in one line for the person who typed it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
