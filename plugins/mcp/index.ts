/** The operations that are agent tools, over the Model Context Protocol: streamable HTTP and stdio. */

export { agentCallMigrations, deleteAgentCallsOf, type KeptCalls, keptCalls } from './kept-calls.ts';
export { mcp } from './open-mcp.ts';
export type { McpEndpoint } from './plugin.ts';
export { getRowsTool } from './row-pages.ts';
export { showAnswerTool } from './show-answer.ts';
