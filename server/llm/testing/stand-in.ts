import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import type { LlmProvider } from '../../config/llm-providers.ts';

/** The reply of the stand-in's model to one request. */
export type Reply =
  | {
      readonly tool: string;
      readonly input: unknown;
      readonly cached?: number;
      /** Number of input tokens that the model reports. */
      readonly tokens?: number;
    }
  | { readonly text: string }
  | { readonly refusal: string }
  /** Arguments that are truncated, or no JSON. */
  | { readonly tool: string; readonly rawInput: string }
  | { readonly status: number; readonly retryAfter?: number }
  /** A 200 with this body, which need not be an answer of the protocol. */
  | { readonly raw: string; readonly type: string }
  /** Never answers. */
  | 'silence'
  /** Closes the connection. */
  | 'hang up';

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into a JSON body as the provider does.
  readonly body: any;
}

/** A server on this machine that speaks one provider's documented protocol, streamed or not. */
export interface StandIn {
  readonly endpoint: string;
  readonly requests: readonly SeenRequest[];
  /** Requests that the caller aborted before the answer. */
  readonly abandoned: number;
  close(): Promise<void>;
}

const INPUT_TOKENS = 1_000;
const OUTPUT_TOKENS = 100;

/** Starts a stand-in; `reply` gets each request and the number of requests before it. */
export async function standIn(
  provider: LlmProvider,
  reply: (request: SeenRequest, index: number) => Reply | Promise<Reply>,
): Promise<StandIn> {
  const requests: SeenRequest[] = [];
  let abandoned = 0;
  const server: Server = createServer((request, response) => {
    void (async () => {
      const seen = { path: request.url ?? '', headers: request.headers, body: JSON.parse(await readBody(request)) };
      requests.push(seen);
      response.on('close', () => {
        if (!response.writableEnded) abandoned++;
      });
      const answer = await reply(seen, requests.length - 1);
      if (answer === 'silence') return;
      if (answer === 'hang up') request.socket.destroy();
      else if ('status' in answer) fail(response, answer);
      else if ('raw' in answer) response.writeHead(200, { 'Content-Type': answer.type }).end(answer.raw);
      else if (provider === 'anthropic') sendAnthropic(response, answer, seen.body);
      else sendOpenai(response, answer, seen.body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}${provider === 'openai' ? '/v1' : ''}`,
    requests,
    get abandoned() {
      return abandoned;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Answered = Exclude<Reply, string | { readonly status: number } | { readonly raw: string }>;

function sendAnthropic(response: ServerResponse, reply: Answered, body: { model: string; stream?: boolean }): void {
  const call = 'tool' in reply ? reply : undefined;
  const cached = call !== undefined && 'cached' in call ? (call.cached ?? 0) : 0;
  const rawInput = call === undefined ? '' : 'rawInput' in call ? call.rawInput : JSON.stringify(call.input);
  const isCut = call !== undefined && 'rawInput' in call;
  const content: Anthropic.ContentBlock =
    call === undefined
      ? { type: 'text', text: 'text' in reply ? reply.text : 'refusal' in reply ? reply.refusal : '', citations: null }
      : {
          type: 'tool_use',
          id: 'call_1',
          name: call.tool,
          input: isCut ? {} : JSON.parse(rawInput),
          caller: { type: 'direct' },
        };
  const message: Anthropic.Message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: body.model,
    container: null,
    content: [content],
    stop_reason: 'refusal' in reply ? 'refusal' : isCut ? 'max_tokens' : call === undefined ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    stop_details: null,
    diagnostics: null,
    usage: {
      input_tokens: ((call !== undefined && 'tokens' in call ? call.tokens : undefined) ?? INPUT_TOKENS) - cached,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
      cache_creation: null,
      output_tokens: OUTPUT_TOKENS,
      output_tokens_details: null,
      server_tool_use: null,
      service_tier: 'standard',
      inference_geo: null,
      speed: null,
    },
  };
  if (body.stream !== true) {
    json(response, message);
    return;
  }
  const start = content.type === 'tool_use' ? { ...content, input: {} } : { ...content, text: '' };
  const events: Anthropic.RawMessageStreamEvent[] = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: start as Anthropic.ContentBlock },
    ...pieces(call === undefined ? (content as Anthropic.TextBlock).text : rawInput).map(
      (piece): Anthropic.RawMessageStreamEvent => ({
        type: 'content_block_delta',
        index: 0,
        delta:
          call === undefined ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece },
      }),
    ),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: message.stop_reason, stop_sequence: null, container: null, stop_details: null },
      usage: { ...message.usage },
    } as Anthropic.RawMessageDeltaEvent,
    { type: 'message_stop' },
  ];
  eventStream(
    response,
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
}

function sendOpenai(response: ServerResponse, reply: Answered, body: { model: string; stream?: boolean }): void {
  const call = 'tool' in reply ? reply : undefined;
  const cached = call !== undefined && 'cached' in call ? (call.cached ?? 0) : 0;
  const tokens = (call !== undefined && 'tokens' in call ? call.tokens : undefined) ?? INPUT_TOKENS;
  const rawInput = call === undefined ? '' : 'rawInput' in call ? call.rawInput : JSON.stringify(call.input);
  const usage: OpenAI.CompletionUsage = {
    prompt_tokens: tokens,
    completion_tokens: OUTPUT_TOKENS,
    total_tokens: tokens + OUTPUT_TOKENS,
    prompt_tokens_details: { cached_tokens: cached },
  };
  const message: OpenAI.ChatCompletionMessage = {
    role: 'assistant',
    content: 'text' in reply ? reply.text : null,
    refusal: 'refusal' in reply ? reply.refusal : null,
    ...(call === undefined
      ? {}
      : { tool_calls: [{ id: 'call_1', type: 'function', function: { name: call.tool, arguments: rawInput } }] }),
  };
  const finish = call === undefined ? 'stop' : 'tool_calls';
  const common = { id: 'chatcmpl-1', created: 1_790_000_000, model: body.model };
  if (body.stream !== true) {
    const completion: OpenAI.ChatCompletion = {
      ...common,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish, logprobs: null }],
      usage,
    };
    json(response, completion);
    return;
  }
  const chunk = (
    delta: OpenAI.ChatCompletionChunk.Choice.Delta,
    finish_reason: 'stop' | 'tool_calls' | null = null,
  ): OpenAI.ChatCompletionChunk => ({
    ...common,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const deltas =
    call === undefined
      ? [chunk({ role: 'assistant', content: message.content, refusal: message.refusal })]
      : [
          chunk({
            role: 'assistant',
            tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: call.tool, arguments: '' } }],
          }),
          ...pieces(rawInput).map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
        ];
  const last: OpenAI.ChatCompletionChunk = { ...common, object: 'chat.completion.chunk', choices: [], usage };
  const chunks = [...deltas, chunk({}, finish), last];
  eventStream(response, [...chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`), 'data: [DONE]\n\n']);
}

function fail(
  response: ServerResponse,
  { status, retryAfter }: { readonly status: number; readonly retryAfter?: number },
): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  });
  response.end(
    JSON.stringify({ type: 'error', error: { type: 'api_error', message: 'secret words of the provider' } }),
  );
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

function eventStream(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const event of events) response.write(event);
  response.end();
}

function pieces(text: string): readonly string[] {
  return text.match(/.{1,7}/gs) ?? [];
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
