import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Log } from '../../router/capabilities/log.ts';
import type { OperationContext } from '../../router/operation.ts';
import { isRecord } from '../../router/record.ts';
import { skillPrompt } from '../skills/index.ts';
import type { Cancellation } from './cancellation.ts';
import { APPS_SESSION, CHAT_PAGE_URI, chatPage, showsPages } from './chat-page.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { MAX_COMPLETIONS, PAGE_SIZE, PROGRESS_INTERVAL_MS } from './limits.ts';
import { completeResource, listResources, RESOURCE_KINDS, readResource } from './resources.ts';
import { Session, type SessionParts } from './session.ts';
import { PAINT_ANSWER, SHOW_ANSWER, type ShownResult } from './show-answer.ts';
import { listedTools } from './tool-list.ts';

export interface ServerParts extends SessionParts {
  readonly version: string;
  readonly log: Log;
  /** Reads the script of the page that a chat shows for an answer. */
  readonly pageScript: () => Promise<string>;
}

/** The caller of a connection, and the form of its answers. */
export interface Connection {
  readonly caller: OperationContext;
  /**
   * Sends an answer as structured content with output schemas, instead of as text. Hosts differ in which of the two
   * they show to their model, and some show both. An answer is therefore sent once: as text, which all hosts show,
   * unless the client reads structured content.
   */
  readonly isStructured: boolean;
  /** Describes tools without references inside of their schemas, for clients that do not follow them. */
  readonly isFlat: boolean;
}

/** Makes the server of one HTTP request, or of one stdio connection. */
export function mcpServer(
  parts: ServerParts,
  { caller, isStructured, isFlat }: Connection,
  cancellation: Cancellation,
): Server {
  const { tools, version, log } = parts;
  const session = ({ mcpReq }: ServerContext) => new Session(parts, caller, mcpReq.signal);
  const server = new Server(
    { name: 'service', title: 'Analytics service', version },
    { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} }, instructions: INSTRUCTIONS },
  );
  const permitted = [...tools.values()].filter((tool) => tool.isFor(caller.caller));
  const hasPage = (context: ServerContext) => clientShowsPages(context, server.getClientCapabilities());
  server.setRequestHandler('tools/list', (_, context) => ({
    tools: [...listedTools(permitted, { isStructured, isFlat }, hasPage(context))],
  }));
  server.setRequestHandler(
    'tools/call',
    guarded(log, async ({ params }, context) => {
      const { mcpReq, http } = context;
      const { signal, end } = cancellation.begin(http?.req?.headers, caller.caller, mcpReq.id);
      const stopTelling = reportProgress(context);
      try {
        const abortable = new Session(parts, caller, AbortSignal.any([mcpReq.signal, signal]));
        const shown = await abortable.show(params.name, params.arguments ?? {}, hasPage(context));
        if (shown !== undefined) return toShown(shown, params.name, isStructured);
        const outcome = await abortable.call(params.name, params.arguments ?? {});
        if (!outcome.ok) return { content: [text(JSON.stringify(outcome.envelope))], isError: true };
        return isStructured
          ? { content: [], structuredContent: { ...outcome.output } }
          : { content: [text(outcome.text)] };
      } finally {
        stopTelling();
        end();
      }
    }),
  );

  server.setRequestHandler(
    'resources/list',
    guarded(log, async ({ params }, context) => {
      const { items, nextCursor } = page(await listResources(session(context)), params?.cursor);
      return { resources: [...items], ...nextCursor };
    }),
  );

  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: Object.values(RESOURCE_KINDS).map(({ uriTemplate, name, title, description, mimeType }) => ({
      uriTemplate,
      name,
      title,
      description,
      mimeType,
    })),
  }));
  server.setRequestHandler(
    'resources/read',
    guarded(log, async ({ params }, context) => ({
      contents: [
        params.uri === CHAT_PAGE_URI
          ? chatPage(await parts.pageScript(), { show: SHOW_ANSWER, paint: PAINT_ANSWER })
          : await readResource(session(context), params.uri),
      ],
    })),
  );

  server.setRequestHandler(
    'prompts/list',
    guarded(log, async ({ params }, context) => {
      const asking = session(context);
      const skills = asking.maySeeSkills ? [...(await asking.skills()).skills.values()] : [];
      const { items, nextCursor } = page(skills, params?.cursor);
      return {
        prompts: items.map(({ name, description }): Prompt => ({ name, description, arguments: [QUESTION] })),
        ...nextCursor,
      };
    }),
  );

  server.setRequestHandler(
    'prompts/get',
    guarded(log, async ({ params }, context) => {
      const { skills } = await session(context).skills();
      const skill = skills.get(params.name);
      if (skill === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such prompt.');
      const content = { type: 'text' as const, text: skillPrompt(skill, params.arguments?.question ?? '') };
      return { description: skill.description, messages: [{ role: 'user' as const, content }] };
    }),
  );

  server.setRequestHandler(
    'completion/complete',
    guarded(log, async ({ params }, context) => {
      const { ref, argument } = params;
      const values =
        ref.type === 'ref/resource'
          ? await completeResource(
              session(context),
              ref.uri,
              argument.name,
              argument.value,
              params.context?.arguments ?? {},
            )
          : [];
      return {
        completion: {
          values: values.slice(0, MAX_COMPLETIONS),
          total: values.length,
          hasMore: values.length > MAX_COMPLETIONS,
        },
      };
    }),
  );

  return server;
}

/** Guards a handler: an unexpected error is a bug, and only the log gets its text. */
function guarded<Args extends unknown[], Result>(log: Log, handler: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result> => {
    try {
      return await handler(...args);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      log.error({ err: error }, 'an MCP request failed');
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'This failed in the service, and was logged there.');
    }
  };
}

const QUESTION = {
  name: 'question',
  title: 'Question',
  description: 'The task to use the skill for.',
  required: false,
};

/** Returns the answer of a tool that shows something. Its page reads structured content whatever the form of other answers. */
function toShown({ content, structuredContent, ...others }: ShownResult, name: string, isStructured: boolean) {
  const isRead = isStructured || name === PAINT_ANSWER;
  return {
    ...others,
    content: [...content],
    ...(isRead && structuredContent !== undefined ? { structuredContent: { ...structuredContent } } : {}),
  };
}

function text(written: string) {
  return { type: 'text' as const, text: written };
}

/**
 * Returns a page of a list; the cursor is the place where the next one begins. @throws ProtocolError for another
 * cursor
 */
function page<Item>(items: readonly Item[], cursor: string | undefined) {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(start) || start < 0 || (cursor !== undefined && !/^\d+$/.test(cursor))) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This cursor is not one of this list.');
  }
  const end = start + PAGE_SIZE;
  return { items: items.slice(start, end), nextCursor: end < items.length ? { nextCursor: String(end) } : {} };
}

/** Reports once a second, to a client that asked for it, that its call still runs. Returns a function that ends the reports. */
function reportProgress({ mcpReq }: ServerContext): () => void {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return () => {};
  let progress = 0;
  const timer = setInterval(() => {
    progress++;
    const params = { progressToken: token, progress, message: `Running for ${progress} s` };
    // A client that has gone is noticed by the signal of its request.
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  }, PROGRESS_INTERVAL_MS);
  return () => clearInterval(timer);
}

/**
 * Returns whether the client of a request shows pages.
 *
 * @param initialized the capabilities that a lasting connection began with
 */
function clientShowsPages({ mcpReq, http }: ServerContext, initialized: ClientCapabilities | undefined): boolean {
  if (http?.req?.headers.get('mcp-session-id')?.startsWith(APPS_SESSION)) return true;
  const { envelope } = mcpReq;
  return showsPages(isRecord(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : initialized);
}
