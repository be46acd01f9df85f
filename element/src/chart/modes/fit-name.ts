/** Least share of a name that stays where it is cut: of less, one guesses. */
const MIN_SHARE = 0.6;
const MAX_LINES = 3;

/**
 * Returns a name as it fits into its mark: whole, else on up to three lines, else cut; undefined where not even that fits.
 * `fits` decides about lines of words.
 */
export function fitName(name: string, fits: (lines: readonly string[]) => boolean): string | undefined {
  const words = name.split(/\s+/);
  for (let count = 1; count <= Math.min(MAX_LINES, words.length); count++) {
    const lines = breakWords(words, count);
    if (fits(lines)) return lines.join('\n');
  }
  const characters = [...name];
  for (let length = characters.length - 1; length >= Math.max(4, characters.length * MIN_SHARE); length--) {
    const cut = `${characters.slice(0, length).join('').trimEnd()}…`;
    if (fits([cut])) return cut;
  }
  return undefined;
}

/** Breaks words into lines, so that the longest line is as short as possible. */
function breakWords(words: readonly string[], count: number): readonly string[] {
  if (count === 1 || words.length === 1) return [words.join(' ')];
  let best: readonly string[] = [words.join(' ')];
  for (let first = 1; first <= words.length - count + 1; first++) {
    const lines = [words.slice(0, first).join(' '), ...breakWords(words.slice(first), count - 1)];
    if (first === 1 || longest(lines) < longest(best)) best = lines;
  }
  return best;
}

function longest(lines: readonly string[]): number {
  return Math.max(...lines.map(({ length }) => length));
}
