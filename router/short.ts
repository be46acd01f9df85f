/** Maximum characters of a caller's text that a message repeats. */
const SHOWN = 100;

/** Shortens a caller's long text for a message to its beginning. */
export function short(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
