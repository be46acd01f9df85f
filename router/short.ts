/** Characters of a caller's text that a message repeats. */
const SHOWN = 100;

/** Shortens a text of the caller for a message: its beginning, where it is long. */
export function short(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
