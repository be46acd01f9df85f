/** Sentences about agents that ask for permission: `server/oauth/`. */
import { sentence } from './sentence.ts';

export const AGENT_REFUSALS = [
  sentence('This agent is not registered here any more. Remove this server in the agent, and add it again.'),
  sentence('The agent asks to return to an address that it has not registered.'),
  sentence('PKCE is needed: code_challenge with code_challenge_method=S256.'),
  sentence('Agents sign in at the identity provider of this server.'),
];
