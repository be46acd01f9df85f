import type { McpEndpoint } from './plugin.ts';
import type { ServerParts } from './server.ts';

/** Makes the endpoint, as `mcp` does. The library of the protocol is loaded here, and not with the tables of this plugin. */
export async function mcp(parts: ServerParts): Promise<McpEndpoint> {
  const plugin = await import('./plugin.ts');
  return plugin.mcp(parts);
}
