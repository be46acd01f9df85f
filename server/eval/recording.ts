/** Records what a language model answers to the questions of a suite, and replays it: an evaluation without a key or costs. */
import { z } from 'zod';
import type { Llm, LlmAnswer, LlmUsage } from '../../router/capabilities/llm.ts';
import { UpstreamError } from '../../router/errors.ts';
import { CommandError } from '../installation/command-error.ts';

const Recorded = z.strictObject({
  tool: z.string().optional(),
  input: z.unknown().optional(),
  text: z.string().optional(),
  inputTokens: z.int().default(0),
  outputTokens: z.int().default(0),
  costUsd: z.number().default(0),
});

const Recording = z.strictObject({
  version: z.literal(1),
  model: z.string(),
  /** By question: the answers of the language model, in their order. */
  answers: z.record(z.string(), z.array(Recorded)),
});
export type Recording = z.output<typeof Recording>;

/** @throws CommandError */
export function readRecording(text: string, file: string): Recording {
  try {
    return Recording.parse(JSON.parse(text));
  } catch {
    throw new CommandError(`${file} is no recording of an evaluation.`);
  }
}

/** What one question has cost. */
export interface Spent {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

const NOTHING: Spent = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** The language model of an evaluation: it counts, and records or replays. */
export class EvaluatedModel {
  readonly #replayed: Recording | undefined;
  readonly #answers: Record<string, z.output<typeof Recorded>[]> = {};
  #model = '';
  #question = '';
  #spent = NOTHING;

  constructor(replayed: Recording | undefined) {
    this.#replayed = replayed;
  }

  /** Begins a question: the next calls belong to it. */
  begin(question: string): void {
    this.#question = question;
    this.#spent = NOTHING;
  }

  get spent(): Spent {
    return this.#spent;
  }

  get recording(): Recording {
    return { version: 1, model: this.#model, answers: this.#answers };
  }

  /** Returns the language model that the service asks. */
  wrap(configured: Llm | undefined): Llm | undefined {
    const replayed = this.#replayed;
    if (replayed === undefined && configured === undefined) return undefined;
    return {
      provider: replayed === undefined ? (configured?.provider ?? '') : 'recording',
      model: replayed?.model ?? configured?.model ?? '',
      call: async (request) => {
        const answer =
          replayed === undefined ? await configured?.call(request) : this.#replay(replayed, this.#spent.calls);
        if (answer === undefined) throw new UpstreamError('No language model is configured.');
        this.#count(answer);
        return answer;
      },
      budget: async (tenant, purpose) =>
        (await configured?.budget(tenant, purpose)) ?? { budgetUsd: undefined, spentUsd: 0, resetAtMillis: 0 },
    };
  }

  #replay({ answers, model }: Recording, attempt: number): LlmAnswer {
    const recorded = Object.hasOwn(answers, this.#question) ? answers[this.#question]?.[attempt] : undefined;
    if (recorded === undefined)
      throw new UpstreamError(`The recording has no answer ${attempt + 1} to this question. Record it again.`);
    const { tool, input, text = '', inputTokens, outputTokens, costUsd } = recorded;
    const usage: LlmUsage = {
      model,
      inputTokens,
      cachedInputTokens: 0,
      outputTokens,
      estimatedCostUsd: costUsd,
      isPricingExact: true,
    };
    return { call: tool === undefined ? undefined : { id: `recorded-${attempt}`, tool, input }, text, usage };
  }

  #count({ call, text, usage }: LlmAnswer): void {
    const { inputTokens, outputTokens, estimatedCostUsd: costUsd, model } = usage;
    const { calls, ...before } = this.#spent;
    this.#model = model;
    this.#spent = {
      calls: calls + 1,
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens,
      costUsd: before.costUsd + costUsd,
    };
    const answers = this.#answers[this.#question] ?? [];
    this.#answers[this.#question] = answers;
    answers.push({
      ...(call === undefined ? { text } : { tool: call.tool, input: call.input }),
      inputTokens,
      outputTokens,
      costUsd,
    });
  }
}
