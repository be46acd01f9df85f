import Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import type { LlmMessage } from '../../router/capabilities/llm.ts';
import { joinedMessage } from './anthropic-stream.ts';
import { boundedInput, declined, noAnswer, toServiceError } from './failures.ts';
import { type AdapterOptions, type AdapterRequest, type Completion, type LlmAdapter, Tokens } from './provider.ts';

/** Implements Anthropic's Messages API. */
export function anthropicAdapter({ apiKey, endpoint, timeoutMs, maxRetries }: AdapterOptions): LlmAdapter {
  const client = new Anthropic({
    apiKey,
    timeout: timeoutMs,
    maxRetries,
    // The provider's text must not reach the process's own output.
    logLevel: 'off',
    ...(endpoint === undefined ? {} : { baseURL: endpoint }),
  });
  return {
    async complete(request) {
      const message = await send(client, request).catch((error: unknown) => {
        throw toServiceError(error, request);
      });
      const answer = Answer.safeParse(message);
      if (!answer.success) throw noAnswer(message, answer.error);
      if (answer.data.stop_reason === 'refusal') throw declined(joinText(answer.data));
      return toCompletion(answer.data);
    },
  };
}

/** The used part of an answer, for any endpoint of the settings. */
const Answer = z.object({
  content: z.array(
    z.union([
      z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.string().refine((type) => type !== 'tool_use' && type !== 'text') }),
    ]),
  ),
  model: z.string(),
  stop_reason: z.string().nullish(),
  usage: z.object({
    input_tokens: Tokens,
    output_tokens: Tokens,
    cache_read_input_tokens: Tokens.nullish(),
    cache_creation_input_tokens: Tokens.nullish(),
  }),
});
type Answer = z.output<typeof Answer>;

async function send(client: Anthropic, request: AdapterRequest): Promise<unknown> {
  const { onProgress, signal } = request;
  const parameters = toParameters(request);
  if (onProgress === undefined) return client.messages.create(parameters, { signal });
  return joinedMessage(await client.messages.create({ ...parameters, stream: true }, { signal }), onProgress);
}

function toParameters(request: AdapterRequest): Anthropic.MessageCreateParamsNonStreaming {
  const { model, system, tools, maxOutputTokens, messages } = request;
  const lastStable = system.findLastIndex(({ isStable }) => isStable);
  const [only, ...others] = tools;
  return {
    model,
    max_tokens: maxOutputTokens,
    system: system.map(({ text }, index) => ({
      type: 'text',
      text,
      ...(index === lastStable ? { cache_control: { type: 'ephemeral' } } : {}),
    })),
    messages: [...(messages[0]?.role === 'user' ? [] : [OPENING]), ...messages.map(toMessage)],
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: { ...inputSchema, type: 'object' },
    })),
    tool_choice:
      others.length === 0
        ? { type: 'tool', name: only.name, disable_parallel_tool_use: true }
        : { type: 'any', disable_parallel_tool_use: true },
  };
}

/** A conversation must begin with the user, but a caller's history may not. */
const OPENING: Anthropic.MessageParam = { role: 'user', content: '(Earlier turns are left out.)' };

function toMessage(message: LlmMessage): Anthropic.MessageParam {
  if (message.role === 'tool') {
    const { callId, text, isError } = message;
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: callId, content: text, is_error: isError }] };
  }
  if ('call' in message) {
    const { id, tool, input } = message.call;
    return { role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input: input ?? {} }] };
  }
  return { role: message.role, content: message.text };
}

function toCompletion(message: Answer): Completion {
  const use = message.content.find((block) => 'input' in block);
  const { usage } = message;
  // Truncated arguments may be valid JSON with missing parts.
  const isWhole = message.stop_reason !== 'max_tokens';
  const input = boundedInput(use?.input);
  return {
    call: use && { id: use.id, tool: use.name, input: isWhole ? input : undefined },
    text: use === undefined ? joinText(message) : (JSON.stringify(input) ?? ''),
    model: message.model,
    tokens: {
      input: usage.input_tokens,
      cachedInput: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
      output: usage.output_tokens,
    },
  };
}

function joinText({ content }: Answer): string {
  return content.flatMap((block) => ('text' in block ? [block.text] : [])).join('\n');
}
