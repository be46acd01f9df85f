/** Escapes control characters: a line break would break a table or a line of the log, and others reach the terminal's own commands. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, escapeCharacter);
}

/** Escapes control characters but line breaks, of texts that are written over several lines. */
export function printableLines(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
