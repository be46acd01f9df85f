import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { OperationContext } from '../../router/operation.ts';
import type { Tool, ToolOutcome } from '../../router/tools/tools.ts';
import type { SkillFolder } from '../skills/index.ts';

/** Who asks, and what they may ask: everything a request is answered with. */
export class Session {
  readonly skills: SkillFolder;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #context: OperationContext;
  readonly #signal: AbortSignal;

  constructor(
    { tools, skills }: { readonly tools: ReadonlyMap<string, Tool>; readonly skills: SkillFolder },
    context: OperationContext,
    signal: AbortSignal,
  ) {
    this.#tools = tools;
    this.skills = skills;
    this.#context = context;
    this.#signal = signal;
  }

  /** @throws ProtocolError when there is no such tool */
  call(name: string, input: unknown): Promise<ToolOutcome> {
    const tool = this.#tools.get(name);
    if (tool === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool "${name.slice(0, 100)}"; the tools are ${[...this.#tools.keys()].join(', ')}.`,
      );
    }
    return tool.call(input, this.#context, this.#signal);
  }

  /** Returns the answer of a tool that resources are made from. @throws ProtocolError when it fails */
  async output(name: string, input: unknown): Promise<Readonly<Record<string, unknown>>> {
    const outcome = await this.call(name, input);
    if (outcome.ok) return outcome.output;
    throw new ProtocolError(ProtocolErrorCode.InternalError, messageOf(outcome.envelope));
  }

  /** Returns the answer of a tool, or `undefined` where it says that there is no such thing. */
  async found(name: string, input: unknown): Promise<Readonly<Record<string, unknown>> | undefined> {
    const outcome = await this.call(name, input);
    return outcome.ok ? outcome.output : undefined;
  }
}

function messageOf({ message, error }: Readonly<Record<string, unknown>>): string {
  return typeof message === 'string' ? message : String(error);
}
