/** Signs agents in where no identity provider does: OAuth 2.1 for public clients, with a page on which users allow them. */
export { AGENT_SCOPES } from './authorization-request.ts';
export { MAX_BODY_BYTES, MAX_REGISTRATIONS_A_MINUTE, MAX_TOKEN_CALLS_A_MINUTE } from './limits.ts';
export { OAuthError } from './oauth-error.ts';
export { type AgentAuthorization, openAgentAuthorization } from './open-oauth.ts';
export { agentsPlugin } from './operations.ts';
export { oauthMigrations } from './tables.ts';
export type { IssuedTokens } from './tokens.ts';
