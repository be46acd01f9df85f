import type { Scope } from './capabilities/identity.ts';
import type { Awaitable } from './steps.ts';

/** An answer that is given again without its operation. */
export interface RepeatedAnswer {
  /** An answer with kept bytes (`kept-bytes.ts`). */
  readonly answer: object;
  /** The user of the answer: the owner of the document. */
  readonly owner: Scope;
}

/**
 * Looks for the answer to one more request with the same input, in the way of the operation: by the same steps, with every
 * check of the token, its owner, the documents and the data. Returns `undefined` where the operation has to make the answer.
 *
 * @throws ServiceError where the operation refuses the request
 */
export type Repeat = (embedToken: string | undefined) => Awaitable<RepeatedAnswer | undefined>;
