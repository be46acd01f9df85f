/** The text of a format cut into its sections, and a section into what is literal and what is not. */

/** A character of a format: taken as it is, or with a meaning that the kind of format decides. */
export interface Character {
  readonly text: string;
  /** Quoted or escaped. */
  readonly literal: boolean;
}

/** Reads the characters of a format: `"quoted"` and `\escaped` characters are literal. An unclosed quote reaches to the end. */
export function charactersOf(format: string): readonly Character[] {
  const characters: Character[] = [];
  for (const [whole, quoted, escaped] of format.matchAll(/"([^"]*)(?:"|$)|\\([\s\S]?)|[\s\S]/g)) {
    if (quoted !== undefined) for (const text of quoted) characters.push({ text, literal: true });
    else if (escaped !== undefined) characters.push({ text: escaped === '' ? '\\' : escaped, literal: true });
    else characters.push({ text: whole, literal: false });
  }
  return characters;
}

/** Cuts at every `;` that is not literal. Always at least one section. */
export function sectionsOf(characters: readonly Character[]): readonly (readonly Character[])[] {
  const sections: Character[][] = [[]];
  for (const character of characters) {
    if (character.text === ';' && !character.literal) sections.push([]);
    else sections.at(-1)?.push(character);
  }
  return sections;
}

/** Returns whether one of the characters, not a literal one, is among the meaningful ones. */
export function hasAny(characters: readonly Character[], meaningful: string): boolean {
  return characters.some(({ text, literal }) => !literal && meaningful.includes(text));
}

/** Returns the characters as text, as if all of them were literal. */
export function asLiteral(characters: readonly Character[]): string {
  return characters.map(({ text }) => text).join('');
}
