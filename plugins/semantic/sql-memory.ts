/** Remembers the parsed SQL of documents, so that a change of a document parses only what it changed. */
import { LRUCache } from 'lru-cache';
import { InternalError } from '../../router/errors.ts';
import type { DocumentReader } from './document-reader.ts';
import type { ParseOutcome, SqlResult, SqlTask } from './model/sql-task.ts';

/** The most texts, and the most characters of them. */
const MAX_TEXTS = 20_000;
const MAX_CHARACTERS = 1_000_000;

/** The parsed texts of all documents. The same text has the same outcome for everybody. */
export class SqlMemory {
  readonly #expressions = memory<ParseOutcome>();
  readonly #sources = memory<boolean>();

  /** Returns a reader that passes on only the SQL that no reader of this memory has read. */
  of(reader: DocumentReader): DocumentReader {
    return { ...reader, sql: (task) => this.#read(task, reader.sql) };
  }

  async #read(task: SqlTask, read: DocumentReader['sql']): Promise<SqlResult> {
    const expressions = this.#expressions.known(task.expressions);
    const sources = this.#sources.known(task.sources);
    const rest = await read({ expressions: expressions.unknown, sources: sources.unknown });
    // The outcomes of a document that takes too long are not those of its texts.
    const isKept = rest.problem === undefined;
    return {
      ...rest,
      expressions: expressions.completed(rest.expressions, isKept),
      sources: sources.completed(rest.sources, isKept),
    };
  }
}

function memory<Outcome extends ParseOutcome | boolean>() {
  const outcomes = new LRUCache<string, { readonly outcome: Outcome }>({
    max: MAX_TEXTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, key) => key.length,
  });
  return {
    known<Text extends { readonly text: string }>(texts: readonly Text[]) {
      const keyed = texts.map((text) => {
        const key = JSON.stringify(text);
        return { text, key, known: outcomes.get(key) };
      });
      const unknown = keyed.filter(({ known }) => known === undefined);
      return {
        unknown: unknown.map(({ text }) => text),
        /** Returns the outcomes of all texts, in their order. */
        completed(read: readonly Outcome[], isKept: boolean): readonly Outcome[] {
          const added = new Map(unknown.map(({ key }, index) => [key, read[index]] as const));
          return keyed.map(({ key, known }) => {
            const outcome = known?.outcome ?? added.get(key);
            if (outcome === undefined) throw new InternalError('A text of a document was not parsed.');
            if (isKept && known === undefined) outcomes.set(key, { outcome });
            return outcome;
          });
        },
      };
    },
  };
}
