import type { Character } from './section.ts';

/** Characters with a meaning in a format for texts. */
export const TEXT_SIGNS = '@&<>!';

/**
 * Returns the formatter of texts: `@` is a character or a space, `&` a character or nothing, filled from the right, or
 * with `!` from the left; `<` is lower case, `>` upper case. Surplus characters are written before the first place
 * (with `!` after the last).
 */
export function textFormat(characters: readonly Character[]): (value: string) => string {
  const has = (sign: string) => characters.some(({ text, literal }) => text === sign && !literal);
  const fromLeft = has('!');
  const shown = characters.filter(({ text, literal }) => literal || !'<>!'.includes(text));
  const isPlace = ({ text, literal }: Character) => !literal && (text === '@' || text === '&');
  const places = shown.filter(isPlace).length;
  return (value) => {
    const cased = has('<') ? value.toLowerCase() : has('>') ? value.toUpperCase() : value;
    const all = [...cased];
    // A format without places only changes the letter case.
    if (places === 0) return cased + shown.map(({ text }) => text).join('');
    const missing = Math.max(0, places - all.length);
    const surplus = Math.max(0, all.length - places);
    let place = 0;
    return shown
      .map((character) => {
        if (!isPlace(character)) return character.text;
        const index = place;
        place += 1;
        if (fromLeft) {
          const placed = all[index] ?? (character.text === '@' ? ' ' : '');
          return index === places - 1 ? placed + all.slice(places).join('') : placed;
        }
        if (index < missing) return character.text === '@' ? ' ' : '';
        const from = index - missing + surplus;
        return index === 0 ? all.slice(0, surplus + 1).join('') : (all[from] ?? '');
      })
      .join('');
  };
}
