/**
 * Finds turns of phrase that readers stumble over, in comments, messages and documentation, and names what to write instead.
 * The rules of style are in CONTRIBUTING.md; this list keeps the worst phrases from coming back.
 *
 *   npx tsx scripts/phrases.ts             reports every place; exits with 1 where there is one
 *   npx tsx scripts/phrases.ts FILE…       only in these files
 */
import './plain-output.ts';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Phrase {
  /** Words of a regular expression without flags; a space means any white space, also the end of a line. */
  readonly words: string;
  readonly instead: string;
}

/** The phrases, each with a plain replacement. */
export const PHRASES = [
  { words: 'likewise', instead: 'also, or repeat the verb' },
  { words: 'save (?:where|that|for)', instead: 'except' },
  { words: 'that which', instead: 'name the thing' },
  { words: 'whose are', instead: 'name the owner: "the tables of …"' },
  { words: '(?:sees?|seen) to it', instead: 'makes sure, ensures' },
  { words: '(?:is|are) come by', instead: 'comes from, is computed from' },
  { words: '(?:is|are|was|were) spoken of', instead: 'is named, is mentioned' },
  { words: 'for ever', instead: 'forever, without end' },
  { words: '(?:can|must|to) mend', instead: 'correct, repair' },
  { words: 'such as (?:it is|they are)', instead: 'unchanged' },
  { words: 'hand(?:s|ed)? (?:it|them) on', instead: 'pass on, give' },
  { words: 'whom nobody', instead: 'name who acts' },
  { words: 'where(?:of|from|upon)|there(?:of|from|upon)', instead: 'of it, from it' },
  { words: 'speaks? of', instead: 'is about, names' },
  { words: 'hangs? together', instead: 'combine, are related' },
  { words: 'held together', instead: 'combined' },
  { words: 'looked over', instead: 'checked, read' },
  { words: 'ha(?:s|ve) it not', instead: 'lacks it' },
  { words: 'over and over', instead: 'several times, repeatedly' },
  { words: 'laid across', instead: 'used as columns' },
  { words: '(?:is|are|was|were) told', instead: 'reports, shows, distinguishes' },
  { words: 'tells? whether', instead: 'returns whether' },
  { words: '(?:is|are) none of', instead: 'is not one of' },
  { words: 'which is no', instead: 'which is not a' },
  { words: 'comes? of it', instead: 'results' },
  { words: 'knows? (?:it|them) by heart', instead: 'name where it is defined' },
] as const satisfies readonly Phrase[];

/** Texts that may contain a phrase, each with the reason. An unneeded exception is reported, too. */
export const EXCEPTIONS: readonly { readonly file: string; readonly text: string; readonly why: string }[] = [
  { file: 'scripts/phrases.ts', text: '', why: 'the list itself' },
  { file: 'scripts/phrases.test.ts', text: '', why: 'planted cases' },
];

export interface Finding {
  readonly line: number;
  /** The phrase as written, on one line. */
  readonly text: string;
  readonly instead: string;
}

const ANY_PHRASE = new RegExp(PHRASES.map(({ words }) => `\\b(${words.replaceAll(' ', '\\s+')})\\b`).join('|'), 'gi');

/** Finds the phrases in a text of TypeScript, Markdown, HTML or CSS, in their order. */
export function phrasesIn(text: string): readonly Finding[] {
  // The star or the slashes of a comment's next line would separate the words of a phrase. The length stays, so offsets stay valid.
  const joined = text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/|>)/g, (start) => `\n${' '.repeat(start.length - 1)}`);
  return [...joined.matchAll(ANY_PHRASE)].map((match) => {
    const [phrase, ...groups] = match;
    const index = groups.findIndex((group) => group !== undefined);
    const before = joined.slice(0, match.index);
    return {
      line: before.split('\n').length,
      text: phrase.replaceAll(/\s+/g, ' '),
      instead: PHRASES[index]?.instead ?? '',
    };
  });
}

/** Lists the files that people read and write, without the changelog. */
function checkedFiles(): readonly string[] {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.cjs', '*.md', '*.html', '*.css'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return files.split('\n').filter((file) => file !== '' && file !== 'CHANGELOG.md' && existsSync(file));
}

/** Writes a line for each phrase without an exception, and for each unneeded exception. */
export function report(files: readonly { readonly file: string; readonly text: string }[]): readonly string[] {
  const unused = new Set(EXCEPTIONS.filter(({ text }) => text !== ''));
  const lines: string[] = [];
  for (const { file, text } of files) {
    const exceptions = EXCEPTIONS.filter((exception) => exception.file === file);
    for (const { line, text: phrase, instead } of phrasesIn(text)) {
      const allowed = exceptions.find((exception) => exception.text === '' || exception.text === phrase);
      if (allowed === undefined) lines.push(`${file}:${line}: "${phrase}": write ${instead}`);
      else unused.delete(allowed);
    }
  }
  return [...lines, ...[...unused].map(({ file, text }) => `${file}: the exception "${text}" is not needed`)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2);
  const files = named.length > 0 ? named : checkedFiles();
  const lines = report(files.map((file) => ({ file, text: readFileSync(file, 'utf8') })));
  for (const line of lines) console.log(line);
  process.exitCode = lines.length === 0 ? 0 : 1;
}
