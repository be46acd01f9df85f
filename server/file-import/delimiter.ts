const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Records that are read. */
const RECORDS = 200;
/** Share of the records that must have as many values as the first. */
const CONSISTENT = 0.9;

/**
 * Returns the delimiter that gives nearly all records of a text as many values as its first, more than one; `undefined`
 * where none does, as with lines of prose above the table. Of two, the one that more records agree on, then the one that gives more values.
 * (DuckDB's own detection takes the decimal commas of a file with semicolons for delimiters.)
 *
 * @param isWhole whether the text ends where the file does; else its last record may be cut
 */
export function detectDelimiter(text: string, isWhole: boolean): string | undefined {
  const candidates = DELIMITERS.map((delimiter) => {
    const counts = valueCounts(text, delimiter);
    if (!isWhole) counts.pop();
    const [first = 1] = counts;
    const agreeing = counts.filter((count) => count === first).length / Math.max(1, counts.length);
    return { delimiter, first, agreeing };
  }).filter(({ first, agreeing }) => first > 1 && agreeing >= CONSISTENT);
  candidates.sort((left, right) => right.agreeing - left.agreeing || right.first - left.first);
  return candidates[0]?.delimiter;
}

/** Returns how many values the first record of a text has at most, whichever character parts them. */
export function mostValuesOfFirstRecord(text: string): number {
  return Math.max(...DELIMITERS.map((delimiter) => valueCounts(text, delimiter, 1)[0] ?? 0));
}

/** Counts the values of the first records; blank lines do not count. */
function valueCounts(text: string, delimiter: string, records = RECORDS): number[] {
  const counts: number[] = [];
  let values = 1;
  let isQuoted = false;
  let isBlank = true;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === delimiter) values++;
    else if (character === '\n') {
      if (!isBlank) counts.push(values);
      if (counts.length === records) return counts;
      values = 1;
      isBlank = true;
      continue;
    }
    if (character !== '\r') isBlank = false;
  }
  if (!isBlank) counts.push(values);
  return counts;
}
