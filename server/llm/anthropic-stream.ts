/** Joins the events of Anthropic's Messages API to a message. */
import { z } from 'zod';
import { jsonOrUndefined } from '../../router/json.ts';

/** The used events, for any endpoint of the settings; other events are ignored. */
const Event = z.union([
  z.object({ type: z.literal('message_start'), message: z.looseObject({ usage: z.looseObject({}) }) }),
  z.object({ type: z.literal('content_block_start'), index: z.int(), content_block: z.looseObject({}) }),
  z.object({
    type: z.literal('content_block_delta'),
    index: z.int(),
    delta: z.union([
      z.object({ type: z.literal('text_delta'), text: z.string() }),
      z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
    ]),
  }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: z.string().nullish() }),
    usage: z.looseObject({}).nullish(),
  }),
]);

interface Block {
  readonly started: Readonly<Record<string, unknown>>;
  text: string;
  json: string;
}

/**
 * Joins the events. The arguments of a call are parsed once at the end, because parsing every part would block the event loop.
 *
 * @param onProgress receives the number of characters of arguments so far
 * @returns the whole message; `undefined` where no message began
 */
export async function joinedMessage(
  events: AsyncIterable<unknown>,
  onProgress: (characters: number) => void,
): Promise<unknown> {
  let message: Readonly<Record<string, unknown>> | undefined;
  let usage: Readonly<Record<string, unknown>> = {};
  let stopReason: string | null | undefined;
  let characters = 0;
  const blocks = new Map<number, Block>();
  for await (const each of events) {
    const { data: event } = Event.safeParse(each);
    if (event === undefined) continue;
    if (event.type === 'message_start') {
      message = event.message;
      usage = { ...usage, ...event.message.usage };
    } else if (event.type === 'content_block_start') {
      blocks.set(event.index, { started: event.content_block, text: '', json: '' });
    } else if (event.type === 'message_delta') {
      stopReason = event.delta.stop_reason;
      usage = { ...usage, ...event.usage };
    } else {
      const { index, delta } = event;
      const block = blocks.get(index);
      if (block === undefined) continue;
      if (delta.type === 'text_delta') block.text += delta.text;
      else {
        block.json += delta.partial_json;
        characters += delta.partial_json.length;
        onProgress(characters);
      }
    }
  }
  return message && { ...message, usage, stop_reason: stopReason, content: [...blocks.values()].map(contentOf) };
}

function contentOf({ started, text, json }: Block): object {
  if (started.type === 'tool_use') return { ...started, input: json === '' ? started.input : jsonOrUndefined(json) };
  return started.type === 'text' ? { ...started, text: `${String(started.text ?? '')}${text}` } : started;
}
