/** The operations that are agent tools, over the Model Context Protocol: streamable HTTP and stdio. */

export { agentCallMigrations, deleteAgentCallsOf, type KeptCalls, keptCalls } from './kept-calls.ts';
export { type McpEndpoint, mcp } from './plugin.ts';
export { getRowsTool } from './row-pages.ts';
