/** Limits of the authorization of agents. Agents register without credentials, so everything that they leave here is bounded. */

/** Registered agents that nobody has allowed anything. Beyond it, the oldest of them makes place. */
export const MAX_UNUSED_CLIENTS = 1_000;
export const MAX_REDIRECT_URIS = 10;
export const MAX_REDIRECT_URI_LENGTH = 500;
export const MAX_CLIENT_NAME_LENGTH = 100;
/** Characters of `state`, which goes back to the agent unchanged. */
export const MAX_STATE_LENGTH = 2_000;

/** Agents that one user has allowed; the one that called longest ago makes place. */
export const MAX_GRANTS_OF_USER = 50;
/** Agents in one list. */
export const MAX_LISTED_GRANTS = 1_000;

/** Registrations, and calls of the other endpoints, of one address in a minute. */
export const MAX_REGISTRATIONS_A_MINUTE = 20;
export const MAX_TOKEN_CALLS_A_MINUTE = 120;

/** Bytes of a request to the endpoints of agents. */
export const MAX_BODY_BYTES = 16 * 1_024;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** Time for which a code may be exchanged. */
export const CODE_TTL_MS = MINUTE;
export const ACCESS_TTL_MS = 15 * MINUTE;
/** Time after which an agent that did not call must be allowed again. */
export const GRANT_TTL_MS = 30 * DAY;
/** Time in which a refresh token may be used again: agents refresh in parallel, and answers are lost on the way. */
export const REFRESH_LEEWAY_MS = 10 * SECOND;
/** Time for which a registered agent that nobody has allowed anything is kept. */
export const UNUSED_CLIENT_TTL_MS = DAY;
/** Time for which an agent is kept after its last permission has ended, so that it can be allowed again. */
export const ENDED_CLIENT_TTL_MS = 180 * DAY;
