/**
 * Describes a model or a cube to a language model, within a budget of tokens; the elements nearest to the question
 * come first.
 */
import type { AskElement, AskElementKind, AskSubject } from '../../router/ask-source.ts';
import { bestFirst, choose, type Line, tokensOf } from './fit-lines.ts';
import { MAX_DESCRIBED_VALUES, MAX_EXAMPLES, MAX_NOTES, MAX_TEXT_LENGTH, VALUES_PER_ELEMENT } from './limits.ts';

export interface DescribeOptions {
  /** The question, and the questions before it. */
  readonly question: string;
  readonly maxTokens: number;
  /** Whether values may leave for the language model. */
  readonly sharesValues: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Description {
  /** The same for every question, so that the provider's cache serves it. */
  readonly stable: string;
  /** What depends on the question. */
  readonly chosen: string;
}

const HEADINGS: Readonly<Record<AskElementKind, string>> = {
  metric: 'Metrics',
  dataset: 'Datasets and their fields',
  field: 'Datasets and their fields',
  measure: 'Measures',
  level: 'Levels',
};

/** Describes a model or a cube. Authors' texts are quoted, so that none of them reads as an instruction of ours. */
export async function describe(subject: AskSubject, options: DescribeOptions): Promise<Description> {
  const { question, maxTokens, sharesValues } = options;
  const { elements } = subject;
  const head = headOf(subject);
  const left = Math.max(0, maxTokens - tokensOf(head));
  const lines = linesOf(elements);
  const { indexes, isWhole } = await choose(lines, question, left);
  if (isWhole) {
    const values = sharesValues ? await valuesOf(elements, lines, options) : '';
    return { stable: `${head}\n\n${listed(elements, lines, indexes)}`, chosen: values };
  }
  // Only the names, if they fit, so that a question may be about any of them.
  const names = `Everything that can be named; details of some follow:\n${elements.map(({ name }) => name).join(', ')}`;
  const hasNames = tokensOf(names) <= left / 2;
  const { indexes: detailed } = hasNames ? await choose(lines, question, left - tokensOf(names)) : { indexes };
  const of = (each: readonly number[]) => each.flatMap((index) => elements[index] ?? []);
  const values = sharesValues ? await valuesOf(of(detailed), linesOf(of(detailed)), options) : '';
  return {
    stable: hasNames ? `${head}\n\n${names}` : head,
    chosen: [
      `What fits the question best, of ${elements.length} in all:`,
      listed(elements, lines, detailed),
      ...(values === '' ? [] : [values]),
    ].join('\n'),
  };
}

function headOf({ title, reference, description, instructions, questions, notes, examples }: AskSubject): string {
  return [
    `The data: ${quoted(title)} (${quoted(reference)})`,
    ...(description === undefined ? [] : [`What it is about: ${quoted(description)}`]),
    ...(instructions === undefined ? [] : [`Its author says: ${quoted(instructions)}`]),
    ...questions.slice(0, MAX_EXAMPLES).map((each) => `A question it answers: ${quoted(each)}`),
    ...notes.slice(0, MAX_NOTES),
    ...examples.slice(0, MAX_EXAMPLES).map((each) => {
      return `Example, ${quoted(each.description)}: ${JSON.stringify(each.request)}`;
    }),
  ].join('\n');
}

function linesOf(elements: readonly AskElement[]): readonly Line[] {
  const places = new Map(elements.map(({ kind, name }, place) => [`${kind} ${name}`, place]));
  return elements.map((element) => ({
    ...lineOf(element),
    isFigure: element.kind === 'metric' || element.kind === 'measure',
    companions: (element.companions ?? []).flatMap((name) => places.get(`field ${name}`) ?? []),
  }));
}

function lineOf(element: AskElement): Line {
  const { name, label, synonyms, description, instructions, questions, facts } = element;
  const said = [
    ...(label === name ? [] : [quoted(label)]),
    ...(facts.length === 0 ? [] : [`(${facts.join('; ')})`]),
    ...(synonyms.length === 0 ? [] : [`also: ${synonyms.map(quoted).join(', ')}`]),
    ...(description === undefined ? [] : [quoted(description)]),
    ...(instructions === undefined ? [] : [`note: ${quoted(instructions)}`]),
    ...questions.slice(0, MAX_EXAMPLES).map((question) => `asked as ${quoted(question)}`),
  ];
  return {
    text: ['-', isPlain(name) ? name : JSON.stringify(name), ...said].join(' '),
    names: [name, label, ...synonyms].join(' '),
    about: [description, instructions, ...questions].join(' '),
  };
}

function listed(elements: readonly AskElement[], lines: readonly Line[], indexes: readonly number[]): string {
  const sections = new Map<string, string[]>();
  for (const index of indexes) {
    const [element, line] = [elements[index], lines[index]];
    if (element === undefined || line === undefined) continue;
    const heading = HEADINGS[element.kind];
    sections.set(heading, [...(sections.get(heading) ?? []), line.text]);
  }
  return [...sections].map(([heading, texts]) => `${heading}:\n${texts.join('\n')}`).join('\n\n');
}

/**
 * Returns some values of the elements that have values. Of many elements, the ones that fit the question best are used.
 */
async function valuesOf(
  elements: readonly AskElement[],
  lines: readonly Line[],
  { question, signal }: DescribeOptions,
): Promise<string> {
  const valued = elements.flatMap((element, index) => (element.values === undefined ? [] : [index]));
  const order = valued.length <= MAX_DESCRIBED_VALUES ? valued : await bestFirst(lines, question);
  const texts: string[] = [];
  for (const index of order) {
    if (texts.length === MAX_DESCRIBED_VALUES) break;
    const element = elements[index];
    const values = (await element?.values?.(signal)) ?? [];
    if (element === undefined || values.length === 0) continue;
    texts.push(`- ${element.name}: ${values.slice(0, VALUES_PER_ELEMENT).map(quoted).join(', ')}`);
  }
  return texts.length === 0 ? '' : `Some of the values:\n${texts.join('\n')}`;
}

/** Writes one line, in quotes, cut to a length. */
export function quoted(text: string): string {
  return JSON.stringify(text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`);
}

/** Returns names that need no quotes: words with dots between, or JSON already. */
function isPlain(name: string): boolean {
  return /^[\p{L}\p{N}_.$-]+$/u.test(name) || (name.startsWith('{"') && name.endsWith('"}'));
}
