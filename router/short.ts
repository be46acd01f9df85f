/** Characters of a caller's text that a message repeats. */
const SHOWN = 100;

/** A text of the caller as a message repeats it: its beginning, where it is long. */
export function short(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
