/** Bounds of scripts: of what one may say, and of what running it may take. */

/** Characters of a script. */
export const MAX_SCRIPT_LENGTH = 20_000;

/**
 * How often the interpreter may ask whether one call goes on: once for some 10,000 steps of a program. That many take some 300 ms on
 * a quiet machine; what counts are steps, so that a busy one does not refuse what another answers.
 */
export const MAX_INTERRUPTS_PER_CALL = 1_000;

/** Bounds all calls of a task together; the calls that are left then have failed. */
export const MAX_INTERRUPTS_PER_TASK = 10_000;

/** Milliseconds after which the thread of a task is ended from outside, whatever it does. */
export const SCRIPT_TASK_TIMEOUT_MS = 20_000;

/** Calls that are handed to a thread at once. */
export const MAX_CALLS_PER_TASK = 2_000;

/** Calls with different arguments that one query may need. */
export const MAX_SCRIPT_CALLS = 100_000;

/** Bytes that a script and its interpreter may have in use: a multiple of 64 KiB. */
export const SCRIPT_MEMORY_BYTES = 48 * 1024 * 1024;

/** Bytes of a script's stack. */
export const SCRIPT_STACK_BYTES = 256 * 1024;

/** Characters of what a script answers. */
export const MAX_SCRIPT_ANSWER_LENGTH = 100_000;

/** Members of a set that a function is given. */
export const MAX_SCRIPT_SET = 10_000;
