/** Escapes control characters: a line break would break a table or a line of the log, and others are commands to the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, escapeCharacter);
}

/** Escapes control characters except line breaks, for multi-line texts. */
export function printableLines(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
