/** Sessions that a user may have at a time; scripts that sign in and never out stop at it. */
export const DEFAULT_MAX_SESSIONS = 100;
