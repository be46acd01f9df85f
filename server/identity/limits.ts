/** Maximum number of a user's sessions, which scripts reach that sign in and never sign out. */
export const DEFAULT_MAX_SESSIONS = 100;
