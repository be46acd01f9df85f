import type { z } from 'zod';
import type { CertifiedAnswer } from './certified-answer.ts';
import type { OperationContext } from './declaration.ts';
import type { ErrorFormat } from './error-body.ts';

/**
 * A query surface that answers questions in natural language. It describes a model or a cube to the language model, and checks and runs the query
 * that the model writes. Each query surface gives one to the launcher, so the ask plugin knows no surface by name.
 */
export interface AskSource<Request extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> {
  /** The surface's name in `source.surface` of a saved question, such as `semantic`. */
  readonly surface: string;
  /** Base path of the surface's operations. */
  readonly root: `/${string}`;
  readonly errorFormat: ErrorFormat;
  /** The request schema: `AskQuestion` with the name of the model or the cube. */
  readonly request: Request;
  readonly answer: Answer;
  /** The schema of the members of a request that name the model or the cube. */
  readonly target: z.ZodObject;
  /**
   * Checks that `target` names a model or a cube. Does not look it up.
   *
   * @throws ValidationError
   */
  checkTarget(target: unknown): void;
  /**
   * Finds the model or cube of a request, as the caller may see it. `target` is the request, or its members that name
   * the model or cube.
   *
   * @throws NotFoundError when it does not exist, or the caller may not see it
   * @throws ValidationError when `target` names none
   */
  open(target: unknown, context: OperationContext, signal: AbortSignal | undefined): Promise<AskSubject>;
}

/** One model or cube, as one caller sees it. */
export interface AskSubject {
  /** Its name in a skill: `connection/model`, or `connection/catalog/schema/cube`. */
  readonly reference: string;
  /** The members of a request that name it; the answer repeats them. */
  readonly target: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly description: string | undefined;
  /** The author's instructions to agents. */
  readonly instructions: string | undefined;
  /** Questions that its author gives as examples. */
  readonly questions: readonly string[];
  /** The names that requests use, in reading order. */
  readonly elements: readonly AskElement[];
  /** The connections between its parts, a line each. */
  readonly notes: readonly string[];
  /** Requests that run unchanged. */
  readonly examples: readonly { readonly description: string; readonly request: object }[];
  /** Questions with their certified requests, in the order of the document. */
  readonly certified: readonly CertifiedAnswer[];
  /** The function with which the language model writes a request. */
  readonly tool: { readonly name: string; readonly inputSchema: Readonly<Record<string, unknown>> };
  /**
   * Checks a request like any caller's. Its target is always this subject, whatever the request names.
   *
   * @returns the request to run
   * @throws ValidationError
   */
  check(request: unknown, signal: AbortSignal | undefined): Promise<object>;
  /** Answers a checked request with the surface's response. */
  run(request: object, signal: AbortSignal | undefined): Promise<object>;
}

export const ELEMENT_KINDS = ['metric', 'field', 'dataset', 'measure', 'level'] as const;
export type AskElementKind = (typeof ELEMENT_KINDS)[number];

/** An element that requests name, with its author's texts. */
export interface AskElement {
  readonly kind: AskElementKind;
  /** Its name in a request: `stores.region`. */
  readonly name: string;
  readonly label: string;
  readonly synonyms: readonly string[];
  readonly description: string | undefined;
  readonly instructions: string | undefined;
  /** Questions that its author gives as examples. */
  readonly questions: readonly string[];
  /** Its kind: `text`, `date`, `sum`. */
  readonly facts: readonly string[];
  /** Names of fields that a request often needs with this one: the main date of a metric. */
  readonly companions?: readonly string[] | undefined;
  /** Reads some of the values. Called only where values may leave for the language model. */
  readonly values?: ((signal: AbortSignal | undefined) => Promise<readonly string[]>) | undefined;
}
