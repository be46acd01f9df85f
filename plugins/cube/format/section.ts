/** Splits a format into its sections, and a section into literal and other characters. */

/** A character of a format: literal, or with a meaning that depends on the kind of format. */
export interface Character {
  readonly text: string;
  /** True if it is quoted or escaped. */
  readonly literal: boolean;
}

/**
 * Reads the characters of a format. `"quoted"` and `\escaped` characters are literal. An unclosed quote ends with the
 * format.
 */
export function charactersOf(format: string): readonly Character[] {
  const characters: Character[] = [];
  for (const [whole, quoted, escaped] of format.matchAll(/"([^"]*)(?:"|$)|\\([\s\S]?)|[\s\S]/g)) {
    if (quoted !== undefined) for (const text of quoted) characters.push({ text, literal: true });
    else if (escaped !== undefined) characters.push({ text: escaped === '' ? '\\' : escaped, literal: true });
    else characters.push({ text: whole, literal: false });
  }
  return characters;
}

/** Splits at every `;` that is not literal. Returns at least one section. */
export function sectionsOf(characters: readonly Character[]): readonly (readonly Character[])[] {
  const sections: Character[][] = [[]];
  for (const character of characters) {
    if (character.text === ';' && !character.literal) sections.push([]);
    else sections.at(-1)?.push(character);
  }
  return sections;
}

/** Returns whether any of the characters that are not literal is among the meaningful ones. */
export function hasAny(characters: readonly Character[], meaningful: string): boolean {
  return characters.some(({ text, literal }) => !literal && meaningful.includes(text));
}

/** Returns the characters as text, as if all of them were literal. */
export function asLiteral(characters: readonly Character[]): string {
  return characters.map(({ text }) => text).join('');
}
