/** Keeps the answers of reads for as long as everything that they were made from is unchanged. */
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { AnswerCheck } from '../../router/answer-checks.ts';
import { type Scope, visibilityKey } from '../../router/capabilities/identity.ts';
import { keepBytes, keptBytesOf } from '../../router/kept-bytes.ts';
import { run, type Steps, settled } from '../../router/steps.ts';
import type { EmbedQueryAnswer } from './schemas.ts';

type Answer = z.infer<typeof EmbedQueryAnswer>;

/** An answer with the check of what it was made from. */
export interface CheckedAnswer {
  readonly answer: Answer;
  readonly isCurrent: AnswerCheck | undefined;
}

interface Kept {
  readonly answer: Answer;
  readonly isCurrent: AnswerCheck;
}

/** Bytes of memory for a cell of an answer, about; the bytes of its JSON are counted on their own. */
const BYTES_OF_CELL = 100;
/** The part of the memory that one answer may use. */
const MAX_SHARE = 1 / 8;

export class KeptAnswers {
  readonly #answers: LRUCache<string, Kept> | undefined;
  readonly #maxBytes: number;

  /** @param maxBytes memory for all answers; 0 keeps none */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#answers = maxBytes > 0 ? new LRUCache({ maxSize: maxBytes }) : undefined;
  }

  /**
   * Returns the kept answer of a key, or makes it.
   *
   * @param key all that decides the answer besides the served data: the caller's view, the documents, the narrowing
   */
  async through(key: string, make: () => Promise<CheckedAnswer>): Promise<Answer> {
    const kept = await run(this.current(key));
    if (kept !== undefined) return kept;
    const { answer, isCurrent } = await make();
    if (isCurrent !== undefined && (await isCurrent())) this.#keep(key, answer, isCurrent);
    return answer;
  }

  /** Returns the kept answer of a key if it is still right; drops it if it is not. */
  *current(key: string): Steps<Answer | undefined> {
    const kept = this.#answers?.get(key);
    if (kept === undefined || (yield* settled(kept.isCurrent()))) return kept?.answer;
    if (this.#answers?.peek(key) === kept) this.#answers.delete(key);
    return undefined;
  }

  #keep(key: string, made: Answer, isCurrent: AnswerCheck): void {
    const answer = { ...made, freshness: { ...made.freshness, cached: true } };
    const cells = answer.columns.length * (answer.records.length + 10);
    const size = () => 1_000 + 2 * key.length + BYTES_OF_CELL * cells + keptBytesOf(answer);
    if (size() > this.#maxBytes * MAX_SHARE) return;
    const entry: Kept = { answer, isCurrent };
    const measure = () => {
      // An answer that was replaced or dropped meanwhile stays out.
      if (this.#answers?.peek(key) === entry) this.#answers.set(key, entry, { size: size() });
    };
    keepBytes(answer, measure);
    this.#answers?.set(key, entry, { size: size() });
  }
}

/** By the scope: that of a token is the same object until something of it changes. */
const viewKeys = new WeakMap<Scope, string>();

/** Returns the part of a key for a caller: scopes with the same text see the same. */
export function viewKeyOf(scope: Scope): string {
  const before = viewKeys.get(scope);
  if (before !== undefined) return before;
  const key = JSON.stringify([scope.tenant, scope.user, visibilityKey(scope)]);
  viewKeys.set(scope, key);
  return key;
}
