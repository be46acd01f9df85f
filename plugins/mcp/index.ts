/** The operations that are agent tools, over the Model Context Protocol: streamable HTTP and stdio. */
export { type McpEndpoint, mcp } from './plugin.ts';
