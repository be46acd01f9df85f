/**
 * The server writes its sentences in English. `inWords` says them in the visitor's language, as far as `sentences/` has them, and returns every other
 * sentence as it is. `server-words.test.ts` compares them with the sources of the server.
 */
import { msg, str } from '@lit/localize';
import { AGENT_REFUSALS } from './sentences/agents.ts';
import { CONNECTION_CAUSES, CONNECTION_SENTENCES } from './sentences/connections.ts';
import { CUBE_PLACES, CUBE_QUERY_PHRASES, CUBE_QUERY_REFUSALS } from './sentences/cube-queries.ts';
import { CALL_SENTENCES, DATA_SENTENCES } from './sentences/data.ts';
import { FILE_FINDINGS, FILE_REFUSALS, FILE_REPAIRS, LINK_CAUSES, LINK_REFUSALS } from './sentences/files.ts';
import {
  DOCUMENT_SENTENCES,
  EDIT_SENTENCES,
  EXPRESSION_CAUSES,
  LINT_SENTENCES,
  REQUEST_SENTENCES,
} from './sentences/models.ts';
import { PARTS } from './sentences/parts.ts';
import { PROPOSAL_REASONS, PROPOSAL_REFUSALS } from './sentences/proposals.ts';
import {
  COMPARED_VALUES,
  PHRASE_PARTS,
  QUERY_PHRASES,
  QUERY_REFUSALS,
  SHAPE_REFUSALS,
  SHAPES,
} from './sentences/queries.ts';
import { type Sentence, valuesIn } from './sentences/sentence.ts';

/** Longer messages stay as they are: they are compared with every sentence. */
const MAX_LENGTH = 2_000;
/** Messages of more sentences stay as they are. */
const MAX_SENTENCES = 16;
/** Most sentences of the server that are known as one. */
const MAX_TOGETHER = 4;

/** Sentences whose values are phrases. */
const PHRASES: ReadonlySet<Sentence> = new Set([...QUERY_PHRASES, ...CUBE_QUERY_PHRASES]);
const SENTENCES: readonly Sentence[] = byWords([
  ...FILE_FINDINGS,
  ...FILE_REPAIRS,
  ...FILE_REFUSALS,
  ...LINK_REFUSALS,
  ...CONNECTION_SENTENCES,
  ...DATA_SENTENCES,
  ...CALL_SENTENCES,
  ...EDIT_SENTENCES,
  ...LINT_SENTENCES,
  ...DOCUMENT_SENTENCES,
  ...REQUEST_SENTENCES,
  ...PROPOSAL_REASONS,
  ...PROPOSAL_REFUSALS,
  ...AGENT_REFUSALS,
  ...SHAPE_REFUSALS,
  ...QUERY_REFUSALS,
  ...CUBE_QUERY_REFUSALS,
  ...PHRASES,
]);
const VALUES: readonly Sentence[] = [
  ...PARTS,
  ...CONNECTION_CAUSES,
  ...LINK_CAUSES,
  ...EXPRESSION_CAUSES,
  ...SHAPES,
  ...COMPARED_VALUES,
  ...CUBE_PLACES,
];

/** Returns the sentences with the most words first: those of others may be in the values of a short one. */
export function byWords(sentences: readonly Sentence[]): readonly Sentence[] {
  return sentences.toSorted((one, other) => wordCount(other) - wordCount(one));
}

function wordCount(sentence: Sentence): number {
  return sentence.join('').length;
}

/** Returns the texts between the values of all sentences, for the comparison with the sources of the server. */
export function sentenceParts(): readonly (readonly string[])[] {
  return [...SENTENCES, ...VALUES, ...PHRASE_PARTS];
}

/** Says the texts around the values of a sentence in another language. */
export type Speak = (parts: readonly string[], values: readonly string[]) => string;

/**
 * Says a message of the server in the visitor's language, as far as it has known sentences.
 *
 * @param speak another language, for tests
 */
export function inWords(message: string, speak: Speak = speakOfPage): string {
  return wordsOf(message, speak) ?? message;
}

/** Says a message of one or several sentences; `undefined` where none is known. */
function wordsOf(message: string, speak: Speak): string | undefined {
  if (message.length > MAX_LENGTH) return undefined;
  const pieces = message.split(/(?<=[.?!]) (?=[A-Z])/);
  if (pieces.length > MAX_SENTENCES) return undefined;
  // The least number of unknown pieces from each piece to the end, and how they are said.
  const best: { readonly unknown: number; readonly said: string }[] = [{ unknown: 0, said: '' }];
  for (let first = pieces.length - 1; first >= 0; first--) {
    const rest = best[0];
    let chosen = joined(1 + (rest?.unknown ?? 0), pieces[first] ?? '', rest?.said);
    for (let count = 1; count <= MAX_TOGETHER && first + count <= pieces.length; count++) {
      const after = best[count - 1];
      if (after === undefined || after.unknown >= chosen.unknown) continue;
      const said = sentenceWords(pieces.slice(first, first + count).join(' '), speak);
      if (said !== undefined) chosen = joined(after.unknown, said, after.said);
    }
    best.unshift(chosen);
  }
  const [whole] = best;
  return whole === undefined || whole.unknown === pieces.length ? undefined : whole.said;
}

function joined(unknown: number, first: string, rest = '') {
  return { unknown, said: rest === '' ? first : `${first} ${rest}` };
}

/** Says one sentence, which may stand behind the name of its file, table, connection or element. */
function sentenceWords(text: string, speak: Speak): string | undefined {
  const said = say(text, SENTENCES, speak);
  if (said !== undefined) return said;
  const [, name, rest] = /^([^:]{1,300}): ([\s\S]+)$/.exec(text) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const words = sentenceWords(rest, speak);
  return words === undefined ? undefined : `${say(name, PARTS, speak) ?? name}: ${words}`;
}

/** Says a text that is one of several sentences, with its values in the words of `valuesOf`. */
export function say(
  text: string,
  sentences: readonly Sentence[],
  speak: Speak,
  valuesOf: (parts: Sentence) => readonly Sentence[] = (parts) => (PHRASES.has(parts) ? PHRASE_PARTS : VALUES),
): string | undefined {
  for (const parts of sentences) {
    const values = valuesIn(text, parts);
    if (values === undefined) continue;
    const words = valuesOf(parts);
    return speak(
      parts,
      values.map((value) =>
        words === VALUES ? valueWords(value, speak) : (say(value, words, speak, () => words) ?? value),
      ),
    );
  }
  return undefined;
}

/** Says a value of a sentence: words of the server, or a reason in whole sentences. */
function valueWords(value: string, speak: Speak): string {
  return say(value, VALUES, speak) ?? (/[.?!]$/.test(value) ? wordsOf(value, speak) : undefined) ?? value;
}

export function speakOfPage(parts: readonly string[], values: readonly string[]): string {
  return values.length === 0 ? msg(parts.join('')) : msg(str(Object.assign([...parts], { raw: parts }), ...values));
}
