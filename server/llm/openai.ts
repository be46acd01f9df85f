import OpenAI from 'openai';
import { z } from 'zod';
import type { LlmMessage } from '../../router/capabilities/llm.ts';
import { jsonOrUndefined } from '../../router/json.ts';
import { boundedInput, declined, noAnswer, toServiceError } from './failures.ts';
import { type AdapterOptions, type AdapterRequest, type Completion, type LlmAdapter, Tokens } from './provider.ts';

/** Implements OpenAI's Chat Completions API, which local models and proxies implement, too. */
export function openaiAdapter({ apiKey, endpoint, timeoutMs, maxRetries }: AdapterOptions): LlmAdapter {
  const client = new OpenAI({
    apiKey,
    timeout: timeoutMs,
    maxRetries,
    // The provider's text must not reach the process's own output.
    logLevel: 'off',
    ...(endpoint === undefined ? {} : { baseURL: endpoint }),
  });
  return {
    async complete(request) {
      const completion = await send(client, request, endpoint !== undefined).catch((error: unknown) => {
        throw toServiceError(error, request);
      });
      const answer = Answer.safeParse(completion);
      if (!answer.success) throw noAnswer(completion, answer.error);
      const refusal = answer.data.choices[0]?.message.refusal;
      if (refusal) throw declined(refusal);
      return toCompletion(answer.data, request.model);
    },
  };
}

/** The used part of an answer, for any endpoint of the settings; proxies leave much out. */
const Answer = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        content: z.string().nullish(),
        refusal: z.string().nullish(),
        tool_calls: z
          .array(
            z.union([
              z.object({
                type: z.literal('function'),
                id: z.string(),
                function: z.object({ name: z.string(), arguments: z.string() }),
              }),
              z.object({ type: z.string().refine((type) => type !== 'function') }),
            ]),
          )
          .nullish(),
      }),
    }),
  ),
  model: z.string().nullish(),
  usage: z
    .object({
      prompt_tokens: Tokens.nullish(),
      completion_tokens: Tokens.nullish(),
      prompt_tokens_details: z.object({ cached_tokens: Tokens.nullish() }).nullish(),
    })
    .nullish(),
});
type Answer = z.output<typeof Answer>;

async function send(client: OpenAI, request: AdapterRequest, isProxy: boolean): Promise<unknown> {
  const { onProgress, signal } = request;
  const parameters = toParameters(request, isProxy);
  if (onProgress === undefined) return client.chat.completions.create(parameters, { signal });
  const stream = client.chat.completions.stream(
    { ...parameters, stream: true, stream_options: { include_usage: true } },
    { signal },
  );
  let characters = 0;
  stream.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => {
    characters += arguments_delta.length;
    onProgress(characters);
  });
  return stream.finalChatCompletion();
}

function toParameters(request: AdapterRequest, isProxy: boolean): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { model, system, tools, maxOutputTokens, messages } = request;
  const [only, ...others] = tools;
  return {
    model,
    // OpenAI caches the longest common prefix by itself: the stable parts come first.
    messages: [{ role: 'system', content: system.map(({ text }) => text).join('\n\n') }, ...messages.map(toMessage)],
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })),
    tool_choice: others.length === 0 ? { type: 'function', function: { name: only.name } } : 'required',
    parallel_tool_calls: false,
    // Proxies support the older name; OpenAI's newer models refuse it.
    ...(isProxy ? { max_tokens: maxOutputTokens } : { max_completion_tokens: maxOutputTokens }),
  };
}

function toMessage(message: LlmMessage): OpenAI.ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.text };
  if ('call' in message) {
    const { id, tool, input } = message.call;
    const call = { name: tool, arguments: JSON.stringify(input ?? {}) };
    return { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] };
  }
  return { role: message.role, content: message.text };
}

function toCompletion({ choices, usage, model }: Answer, requestedModel: string): Completion {
  const message = choices[0]?.message;
  const call = message?.tool_calls?.find((each) => 'function' in each);
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? 0;
  return {
    call: call && {
      id: call.id,
      tool: call.function.name,
      input: boundedInput(jsonOrUndefined(call.function.arguments)),
    },
    text: call?.function.arguments ?? message?.content ?? '',
    model: model || requestedModel,
    tokens: {
      input: (usage?.prompt_tokens ?? 0) - cached,
      cachedInput: cached,
      cacheWrite: 0,
      output: usage?.completion_tokens ?? 0,
    },
  };
}
