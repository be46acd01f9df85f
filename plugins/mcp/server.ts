import {
  type Tool as ListedTool,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Log } from '../../router/capabilities/log.ts';
import type { OperationContext } from '../../router/operation.ts';
import { withoutReferences } from '../../router/tools/agent-schema.ts';
import type { Tool } from '../../router/tools/tools.ts';
import { skillPrompt } from '../skills/index.ts';
import type { Cancellation } from './cancellation.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { MAX_COMPLETIONS, PAGE_SIZE, PROGRESS_INTERVAL_MS } from './limits.ts';
import { completeResource, listResources, RESOURCE_KINDS, readResource } from './resources.ts';
import { getRowsTool } from './row-pages.ts';
import { Session, type SessionParts } from './session.ts';

export interface ServerParts extends SessionParts {
  readonly version: string;
  readonly log: Log;
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

type Form = Pick<Connection, 'isStructured' | 'isFlat'>;

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
  const listed = [...permitted, ...(permitted.length === 0 ? [] : [getRowsTool])].map((tool) =>
    toListed(tool, { isStructured, isFlat }),
  );

  server.setRequestHandler('tools/list', () => ({ tools: listed }));
  server.setRequestHandler(
    'tools/call',
    guarded(log, async ({ params }, context) => {
      const { mcpReq, http } = context;
      const { signal, end } = cancellation.begin(http?.req?.headers, caller.caller, mcpReq.id);
      const stopTelling = reportProgress(context);
      try {
        const abortable = new Session(parts, caller, AbortSignal.any([mcpReq.signal, signal]));
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
      contents: [await readResource(session(context), params.uri)],
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

type Described = Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'writes'>;

/** Describes a tool to a client. A tool may be called again with the same result, and almost every one only reads. */
function toListed(tool: Described, { isStructured, isFlat }: Form): ListedTool {
  const { name, title, description, inputSchema, outputSchema, writes = false } = tool;
  return {
    name,
    title,
    description,
    inputSchema: { ...(isFlat ? withoutReferences(inputSchema) : inputSchema), type: 'object' },
    ...(isStructured ? { outputSchema: { ...outputSchema, type: 'object' } } : {}),
    annotations: {
      title,
      readOnlyHint: !writes,
      destructiveHint: writes,
      idempotentHint: true,
      openWorldHint: false,
    },
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
