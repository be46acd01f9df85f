/** Names of sheets: at most 31 characters, some signs are not allowed, and no two are equal in any letter case. */
const MAX_LENGTH = 31;

/** Returns a name for each title, unique among all. */
export function sheetNames(titles: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return titles.map((title) => {
    const plain = title
      .replaceAll(/[[\]:*?/\\\p{Cc}]+/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .replace(/^[' ]+|[' ]+$/g, '');
    const base = plain === '' ? 'Sheet' : plain;
    for (let count = 1; ; count++) {
      const ending = count === 1 ? '' : ` (${count})`;
      const name = `${base.slice(0, MAX_LENGTH - ending.length).trim()}${ending}`;
      // Excel keeps this name for itself.
      if (used.has(name.toLowerCase()) || name.toLowerCase() === 'history') continue;
      used.add(name.toLowerCase());
      return name;
    }
  });
}
