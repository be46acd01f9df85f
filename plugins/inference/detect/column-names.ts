/** Reads names of tables and columns: subjects, keys, likeness. Pure. */
import { nameWords, singular } from '../../../router/name-words.ts';

/** Words for the purpose of a table, not for its rows. */
const TABLE_ROLES: ReadonlySet<string> = new Set([
  'dim',
  'dimension',
  'fact',
  'facts',
  'fct',
  'tbl',
  'table',
  'lkp',
  'lookup',
  'ref',
  'stg',
  'raw',
  'vw',
  'd',
  'f',
  'by',
  'master',
]);

/** Words that end the name of a key. */
const KEY_WORDS: ReadonlySet<string> = new Set([
  'id',
  'ids',
  'key',
  'sk',
  'pk',
  'fk',
  'bk',
  'nk',
  'code',
  'cd',
  'no',
  'nr',
  'nummer',
  'num',
  'number',
  'uuid',
  'guid',
  'ref',
  'kuerzel',
  'kürzel',
  'kennung',
  'schluessel',
  'schlüssel',
  'kz',
  'kennziffer',
]);

/** International codes. Each is a key by itself and stays part of the stem, as a table may have several. */
const CODE_WORDS: ReadonlySet<string> = new Set([
  'iso',
  'iso2',
  'iso3',
  'alpha2',
  'alpha3',
  'ean',
  'ean13',
  'gtin',
  'upc',
  'sku',
  'plu',
  'isbn',
  'issn',
  'asin',
  'isin',
  'wkn',
  'iata',
  'icao',
  'vin',
  'barcode',
  'kennzeichen',
  'bic',
  'unlocode',
  'icd',
  'icd10',
  'ndc',
  'pzn',
  'loinc',
  'atc',
  'nace',
  'naics',
  'lei',
  'mcc',
  'hs',
]);

/** Returns the words for the rows of a table: without roles (`dim_`, `fact_`) and years. */
export function tableSubject(table: string): readonly string[] {
  const words = nameWords(table);
  const subject = words.filter((word) => !TABLE_ROLES.has(word) && !/^(19|20)\d\d$/.test(word));
  return subject.length === 0 ? words : subject;
}

/** Splits the words of a column into its stem and the words for a key; `custid` is `cust` `id`. */
export function splitKeyName(column: string): { readonly stem: readonly string[]; readonly isKeyName: boolean } {
  const words = [...nameWords(column)];
  let isKeyName = false;
  while (words.length > 0 && KEY_WORDS.has(words.at(-1) ?? '')) {
    words.pop();
    isKeyName = true;
  }
  while (words.length > 1 && (words[0] === 'fk' || words[0] === 'id' || words[0] === 'pk')) {
    words.shift();
    isKeyName = true;
  }
  const last = words.at(-1) ?? '';
  const [, glued] = /^(\p{L}{3,})(id|key|sk|cd|nr|nummer)$/u.exec(last) ?? [];
  if (!isKeyName && glued !== undefined && !NO_GLUED_KEY.has(last))
    return { stem: [...words.slice(0, -1), singular(glued)], isKeyName: true };
  return { stem: words, isKeyName: isKeyName || CODE_WORDS.has(last) };
}

/** Words that end like a key by chance. */
const NO_GLUED_KEY: ReadonlySet<string> = new Set([
  'paid',
  'unpaid',
  'valid',
  'invalid',
  'prepaid',
  'grid',
  'rapid',
  'solid',
  'fluid',
  'covid',
  'monkey',
  'turkey',
  'whiskey',
  'hockey',
  'jockey',
  'postpaid',
  'liquid',
  'humid',
  'hybrid',
  'android',
  'avoid',
  'madrid',
  'acid',
  'bid',
  'mid',
]);

/** Returns how alike two words are: 1 the same, less for an abbreviation, 0 for others. */
export function likeness(short: string, long: string): number {
  if (short === long) return 1;
  if (short.charCodeAt(0) !== long.charCodeAt(0)) return 0;
  const [a, b] = short.length <= long.length ? [short, long] : [long, short];
  if (a.length < 2) return 0;
  if (a.length >= 3 && b.startsWith(a)) return 0.9;
  // `dept` of `department`, `qty` of `quantity`: the letters in their order, the first one first.
  if (a.length >= 3 && a[0] === b[0] && a.length * 4 >= b.length && isSubsequence(a, b)) return 0.75;
  return 0;
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const letter of whole) if (letter === part[at]) at++;
  return at === part.length;
}

/**
 * Returns how well `words` end with `subject`: 1 where the last words are the subject (words before them are a role:
 * `ship customer`), less for abbreviations and for parts of the subject, 0 where the last word of the subject is
 * missing.
 */
export function endsWith(words: readonly string[], subject: readonly string[]): number {
  if (words.length === 0 || subject.length === 0) return 0;
  const last = likeness(words.at(-1) ?? '', subject.at(-1) ?? '');
  const glued = subject.join('') === words.at(-1) ? 1 : 0;
  if (Math.max(last, glued) === 0) {
    // `time_id` of `time_by_day`, `product_id` of `product_catalog`: the subject's first word alone.
    const first = likeness(words.at(-1) ?? '', subject[0] ?? '');
    return subject.length > 1 && first > 0 ? 0.7 * first : 0;
  }
  let sum = Math.max(last, glued);
  let shared = glued > last ? subject.length : 1;
  if (glued <= last)
    while (shared < subject.length && shared < words.length) {
      const like = likeness(words.at(-1 - shared) ?? '', subject.at(-1 - shared) ?? '');
      if (like === 0) break;
      sum += like;
      shared++;
    }
  return (glued > last ? 1 : sum / shared) * (0.6 + (0.4 * shared) / subject.length);
}

/** Writes a name as a caption: `unit_sales` -> `Unit Sales`. */
export function writeCaption(name: string): string {
  const words = name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  if (words.length === 0) return name;
  return words
    .map((word) =>
      /^\p{Lu}+$/u.test(word) && word.length <= 4 ? word : word[0]?.toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join(' ');
}
