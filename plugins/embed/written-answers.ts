/** Answers of embed reads in the form of files, with the words that say what narrows them. */
import type { z } from 'zod';
import type { AnswerFiles, Notation } from '../../router/capabilities/answer-files.ts';
import type { Scope } from '../../router/capabilities/identity.ts';
import type { QuerySource } from '../../router/capabilities/query-source.ts';
import { ServiceError } from '../../router/errors.ts';
import type { FileAnswer } from '../../router/file-answer.ts';
import { conditionsInWords, headingIn, stepsInWords } from '../files/index.ts';
import type { Dashboard } from '../repository/index.ts';
import { parseDrill } from './drill.ts';
import { answerFile, type FileRequest, notationOf, parseSort, sorted } from './file-answers.ts';
import { conditionsOf } from './filter.ts';
import type { EmbedQueryAnswer } from './schemas.ts';

/** Narrows a read, as the request writes it. */
export interface Narrowing {
  readonly filter?: string | undefined;
  readonly others?: string | undefined;
  readonly without?: string | undefined;
  readonly drill?: string | undefined;
}

/** The query of an answer, for the captions of fields that the answer does not show. */
export interface Asked {
  readonly sources: readonly QuerySource[];
  readonly question: { readonly source: { readonly surface: string; readonly request?: unknown } };
  readonly owner: Scope;
  /** Captions that are known, by field. */
  readonly captions?: ReadonlyMap<string, string> | undefined;
  readonly signal: AbortSignal | undefined;
}

type Answer = z.infer<typeof EmbedQueryAnswer>;

/** Writes an answer as the file that a reader asks for. */
export async function writtenAnswer(
  files: AnswerFiles,
  answer: Answer,
  asked: Asked,
  {
    format = 'csv',
    filter,
    drill,
    sort,
    ...notation
  }: FileRequest & Narrowing & { readonly sort?: string | undefined },
): Promise<Answer> {
  const words = await narrowingInWords(answer, asked, { filter, drill }, notation);
  const rows = sorted(answer, parseSort(sort), notation, 'sort');
  return inPlaceOf(await answerFile(files, rows, words, { ...notation, format }, asked.signal));
}

/** Writes what narrows an answer as a file names it: the steps down, then the conditions, by the captions of the fields. */
export async function narrowingInWords(
  answer: Answer,
  asked: Asked,
  { filter, drill }: Narrowing,
  request: FileRequest,
): Promise<readonly string[]> {
  const notation = notationOf(request);
  const steps = stepsInWords(answer.drill?.trail ?? [], parseDrill(drill, {})?.steps ?? [], notation);
  const conditions = (filter === undefined ? [] : conditionsOf(filter)).map(async (each) => ({
    ...each,
    field: headingOf(answer, each.field, notation) ?? (await captionOf(each.field, asked)),
  }));
  return [...steps, ...conditionsInWords(await Promise.all(conditions), notation.locale)];
}

/** Returns the heading of a field's column as the file writes it; undefined where the answer does not show the field. */
function headingOf({ columns }: Answer, field: string, { locale, labels }: Notation): string | undefined {
  const column = columns.find(({ key }) => key === field);
  return column !== undefined && labels === 'locale' ? headingIn(column, locale) : column?.label;
}

/** Returns the caption of a field that an answer does not show, or its key where there is none. */
async function captionOf(field: string, { sources, question, owner, captions, signal }: Asked): Promise<string> {
  const known = captions?.get(field);
  if (known !== undefined) return known;
  const { surface, request } = question.source;
  try {
    const prepared = sources.find((each) => each.surface === surface)?.prepare(request);
    return (await prepared?.offer(owner, { field, limit: 1, signal }))?.label ?? field;
  } catch (error) {
    if (error instanceof ServiceError && error.kind !== 'INTERNAL') return field;
    throw error;
  }
}

/** Returns the titles of filter tiles by their fields. */
export function captionsOf({ tiles }: Dashboard): ReadonlyMap<string, string> {
  return new Map(
    tiles.flatMap(({ kind, field, title }) =>
      kind === 'filter' && field !== undefined && title !== undefined ? [[field, title]] : [],
    ),
  );
}

/** Passes a file on in the place of a documented answer; REST sends it as it is. */
export function inPlaceOf<Body>(file: FileAnswer): Body {
  return file as never;
}
