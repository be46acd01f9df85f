import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { missingScope, requireScope } from '../../router/access.ts';
import { userOf } from '../../router/calling-user.ts';
import type { PicturePool } from '../../router/capabilities/answer-pictures.ts';
import { ForbiddenError, HTTP_STATUS } from '../../router/errors.ts';
import { jsonText } from '../../router/json-pieces.ts';
import type { OperationContext } from '../../router/operation.ts';
import type { Tool, ToolOutcome } from '../../router/tools/tools.ts';
import type { SkillFolders } from '../skills/index.ts';
import type { KeptCalls } from './kept-calls.ts';
import { MAX_ANSWER_LENGTH } from './limits.ts';
import { firstPage, GET_ROWS, pageOf } from './row-pages.ts';
import { PAINT_ANSWER, paintAnswer, SHOW_ANSWER, type ShownResult, showAnswer } from './show-answer.ts';

/** The operation with the scope of skills. */
const SKILLS = 'skills.list';

/** A tool's outcome, with an answer's JSON. */
export type WrittenOutcome =
  | (Extract<ToolOutcome, { readonly ok: true }> & { readonly text: string })
  | Extract<ToolOutcome, { readonly ok: false }>;

export interface SessionParts {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly skills: SkillFolders;
  readonly calls: KeptCalls;
  readonly pictures: PicturePool;
}

/** The caller and the operations it may call: everything that answers a request. */
export class Session {
  readonly #skills: SkillFolders;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #context: OperationContext;
  readonly #signal: AbortSignal;
  readonly #calls: KeptCalls;
  readonly #pictures: PicturePool;

  constructor({ tools, skills, calls, pictures }: SessionParts, context: OperationContext, signal: AbortSignal) {
    this.#tools = tools;
    this.#skills = skills;
    this.#calls = calls;
    this.#pictures = pictures;
    this.#context = context;
    this.#signal = signal;
  }

  /** Returns whether the caller's API key has the scope of skills. */
  get maySeeSkills(): boolean {
    return missingScope(SKILLS, this.#context.caller) === undefined;
  }

  /**
   * Returns the skills that the caller sees.
   *
   * @throws ProtocolError for an API key without their scope
   */
  async skills(): ReturnType<SkillFolders['scan']> {
    try {
      requireScope(SKILLS, this.#context.caller);
    } catch (error) {
      if (error instanceof ForbiddenError) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, error.message);
      throw error;
    }
    return this.#skills.scan(userOf(this.#context));
  }

  /** @throws ProtocolError when there is no such tool */
  async call(name: string, input: unknown): Promise<WrittenOutcome> {
    const scope = userOf(this.#context);
    if (name === GET_ROWS)
      return written(await pageOf(input, this.#calls, scope, (tool, earlier) => this.#outcome(tool, earlier)));
    const outcome = await this.#outcome(name, input);
    if (!outcome.ok) return outcome;
    return written({ ok: true, output: await firstPage(outcome.output, { tool: name, input }, this.#calls, scope) });
  }

  /** Answers the tools that show something; undefined for another tool. @param hasPage whether the client shows the page */
  show(name: string, input: unknown, hasPage: boolean): Promise<ShownResult> | undefined {
    const showing = {
      calls: this.#calls,
      pictures: this.#pictures,
      scope: userOf(this.#context),
      signal: this.#signal,
      outcome: (tool: string, given: unknown) => this.#innerOutcome(tool, given),
    };
    if (name === SHOW_ANSWER) return showAnswer(input, showing, hasPage);
    return name === PAINT_ANSWER ? paintAnswer(input, showing) : undefined;
  }

  async #outcome(name: string, input: unknown): Promise<ToolOutcome> {
    if (this.#tools.get(name)?.isInner !== true) return this.#innerOutcome(name, input);
    throw this.#unknown(name);
  }

  async #innerOutcome(name: string, input: unknown): Promise<ToolOutcome> {
    const tool = this.#tools.get(name);
    if (tool !== undefined) return tool.call(input, this.#context, this.#signal);
    throw this.#unknown(name);
  }

  #unknown(name: string): ProtocolError {
    const names = [...this.#tools.values()].filter(({ isInner }) => isInner !== true).map((tool) => tool.name);
    return new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool "${name.slice(0, 100)}"; the tools are ${[...names, GET_ROWS, SHOW_ANSWER].join(', ')}.`,
    );
  }

  /** Returns the answer of a tool that resources are made from. @throws ProtocolError when it fails */
  async output(name: string, input: unknown): Promise<Readonly<Record<string, unknown>>> {
    const outcome = await this.call(name, input);
    if (outcome.ok) return outcome.output;
    throw toProtocolError(outcome);
  }

  /** Returns the JSON of a tool's answer; `undefined` where it names nothing. @throws ProtocolError when it fails */
  async found(name: string, input: unknown): Promise<string | undefined> {
    const outcome = await this.call(name, input);
    if (outcome.ok) return outcome.text;
    if (outcome.kind === 'VALIDATION' || outcome.kind === 'NOT_FOUND') return undefined;
    throw toProtocolError(outcome);
  }
}

/** Writes the JSON of an answer. */
async function written(outcome: ToolOutcome): Promise<WrittenOutcome> {
  if (!outcome.ok) return outcome;
  const text = await jsonText(outcome.output);
  return text.length > MAX_ANSWER_LENGTH ? { ok: false, envelope: TOO_LARGE } : { ...outcome, text };
}

const TOO_LARGE = {
  error: 'RESULT_TOO_LARGE',
  message: `The answer has more than ${MAX_ANSWER_LENGTH.toLocaleString('en-US')} characters, the most that is sent here. Ask for fewer rows, by limit or by filters, or for fewer columns.`,
} as const;

/**
 * Returns the error of a request that has no place for an envelope. A refusal, such as of an API key without the scope, is
 * the caller's to correct. Any other failure is the service's.
 */
function toProtocolError({ envelope, kind }: Extract<ToolOutcome, { readonly ok: false }>): ProtocolError {
  const isRefused = kind !== undefined && HTTP_STATUS[kind] < 500;
  const code = isRefused ? ProtocolErrorCode.InvalidRequest : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, messageOf(envelope), envelope);
}

function messageOf({ message, error }: Readonly<Record<string, unknown>>): string {
  return typeof message === 'string' ? message : String(error);
}
