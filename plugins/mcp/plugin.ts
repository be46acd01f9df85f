import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { OperationContext } from '../../router/operation.ts';
import { Cancellation, withSession } from './cancellation.ts';
import { type Connection, mcpServer, type ServerParts } from './server.ts';

export interface McpEndpoint {
  /** Answers one HTTP request of an authenticated caller. `body` is its JSON, read and bounded already. */
  fetch(request: Request, context: OperationContext, body: unknown): Promise<Response>;
  /** Serves this process's stdin and stdout in the name of one caller. */
  serveStdio(connection: Connection): { close(): Promise<void> };
  close(): Promise<void>;
}

/**
 * Makes the endpoint. Each HTTP request is served alone: nothing of a conversation is kept in this process, so any node
 * may answer the next one.
 */
export function mcp(parts: ServerParts): McpEndpoint {
  const onerror = (error: Error) => parts.log.debug({ err: error }, 'an MCP request was refused');
  const cancellation = new Cancellation();
  const handler = createMcpHandler(
    ({ authInfo }) => mcpServer(parts, authInfo?.extra?.connection as Connection, cancellation),
    { onerror },
  );
  return {
    async fetch(request, context, body) {
      cancellation.hear(request.headers, context.caller, body);
      const connection: Connection = { caller: context, ...formOf(request.url) };
      const authInfo = { token: '', clientId: '', scopes: [], extra: { connection } };
      return withSession(await handler.fetch(request, { parsedBody: body, authInfo }), body);
    },
    serveStdio: (connection) => serveStdio(() => mcpServer(parts, connection, cancellation), { onerror }),
    close: () => handler.close(),
  };
}

/** Returns the form that the address of a client asks for: `?structured=true`, `?flat=true`. */
function formOf(url: string): Pick<Connection, 'isStructured' | 'isFlat'> {
  const { searchParams } = new URL(url);
  return { isStructured: searchParams.get('structured') === 'true', isFlat: searchParams.get('flat') === 'true' };
}
