import type { z } from 'zod';
import type { OperationContext } from './declaration.ts';
import type { ErrorFormat } from './error-body.ts';

/**
 * A query surface seen as something that questions in natural language are put to: what a language model has to know
 * of a model or a cube, and how the query that it writes is checked and run. Each query surface hands one to the
 * launcher, so that the ask plugin knows no surface by name.
 */
export interface AskSource<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> {
  /** The name a saved question gives in `source.surface`, such as `semantic`. */
  readonly surface: string;
  /** Where the operations of the surface begin. */
  readonly root: `/${string}`;
  readonly errorFormat: ErrorFormat;
  /** `AskQuestion` and what names the model or the cube. */
  readonly request: Request;
  readonly answer: Answer;
  /**
   * Checks that `target` names a model or a cube. Does not look it up.
   *
   * @throws ValidationError
   */
  checkTarget(target: unknown): void;
  /**
   * Finds what a request asks about, as the caller may see it. `target` are the members of the request that name it,
   * or the whole request.
   *
   * @throws NotFoundError when there is no such thing, or the caller may not see it
   * @throws ValidationError when `target` does not name one
   */
  open(target: unknown, context: OperationContext, signal: AbortSignal | undefined): Promise<AskSubject>;
}

/** One model or cube, as one caller sees it. */
export interface AskSubject {
  /** As a skill names it: `connection/model`, or `connection/catalog/schema/cube`. */
  readonly reference: string;
  /** The members of a request that name it, as they are written: they stand in the answer, too. */
  readonly target: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly description: string | undefined;
  /** What its author tells agents about it. */
  readonly instructions: string | undefined;
  /** Questions that its author gives as examples. */
  readonly questions: readonly string[];
  /** What requests name, in the order in which people read it. */
  readonly elements: readonly AskElement[];
  /** How its parts hang together, a line each. */
  readonly notes: readonly string[];
  /** Requests that run as they stand. */
  readonly examples: readonly { readonly description: string; readonly request: object }[];
  /** The function that a language model writes a request with. */
  readonly tool: { readonly name: string; readonly inputSchema: Readonly<Record<string, unknown>> };
  /**
   * Checks a request as that of any caller. What it asks about is always this subject, whatever it says.
   *
   * @returns the request as it is run
   * @throws ValidationError
   */
  check(request: unknown, signal: AbortSignal | undefined): Promise<object>;
  /** Answers a request that was checked, in the surface's own response. */
  run(request: object, signal: AbortSignal | undefined): Promise<object>;
}

export const ELEMENT_KINDS = ['metric', 'field', 'dataset', 'measure', 'level'] as const;
export type AskElementKind = (typeof ELEMENT_KINDS)[number];

/** Something that requests name. Texts are those of its author. */
export interface AskElement {
  readonly kind: AskElementKind;
  /** How a request names it: `stores.region`. */
  readonly name: string;
  readonly label: string;
  readonly synonyms: readonly string[];
  readonly description: string | undefined;
  readonly instructions: string | undefined;
  /** Questions that its author gives as examples. */
  readonly questions: readonly string[];
  /** What kind of thing it is: `text`, `date`, `sum`. */
  readonly facts: readonly string[];
  /** Reads some of its values. Called only where these may leave for the language model. */
  readonly values?: ((signal: AbortSignal | undefined) => Promise<readonly string[]>) | undefined;
}
