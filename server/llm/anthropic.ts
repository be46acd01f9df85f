import Anthropic from '@anthropic-ai/sdk';
import type { LlmMessage } from '../../router/capabilities/llm.ts';
import { declined, toServiceError } from './failures.ts';
import type { AdapterOptions, AdapterRequest, Completion, LlmAdapter } from './provider.ts';

/** Speaks Anthropic's Messages API. */
export function anthropicAdapter({ apiKey, endpoint, timeoutMs, maxRetries }: AdapterOptions): LlmAdapter {
  const client = new Anthropic({
    apiKey,
    timeout: timeoutMs,
    maxRetries,
    ...(endpoint === undefined ? {} : { baseURL: endpoint }),
  });
  return {
    async complete(request) {
      const message = await send(client, request).catch((error: unknown) => {
        throw toServiceError(error, request);
      });
      if (message.stop_reason === 'refusal') throw declined(textOf(message));
      return toCompletion(message);
    },
  };
}

async function send(client: Anthropic, request: AdapterRequest): Promise<Anthropic.Message> {
  const { onProgress, signal } = request;
  const parameters = toParameters(request);
  if (onProgress === undefined) return client.messages.create(parameters, { signal });
  const stream = client.messages.stream(parameters, { signal });
  let characters = 0;
  stream.on('inputJson', (part) => {
    characters += part.length;
    onProgress(characters);
  });
  return stream.finalMessage();
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

/** A conversation must begin with the user, and a caller's history may not. */
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

function toCompletion(message: Anthropic.Message): Completion {
  const use = message.content.find((block) => block.type === 'tool_use');
  const { usage } = message;
  // Cut off in the middle, the arguments may be valid JSON that says less than was meant.
  const isWhole = message.stop_reason !== 'max_tokens';
  return {
    call: use && { id: use.id, tool: use.name, input: isWhole ? use.input : undefined },
    text: use === undefined ? textOf(message) : JSON.stringify(use.input),
    model: message.model,
    tokens: {
      input: usage.input_tokens,
      cachedInput: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
      output: usage.output_tokens,
    },
  };
}

function textOf(message: Anthropic.Message): string {
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
