/** Limits of scripts: their length and their resources. */

/** Maximum of characters of a script. */
export const MAX_SCRIPT_LENGTH = 20_000;

/**
 * Maximum of interrupts of one call. The interpreter interrupts about every 10,000 steps of a program, so this is about
 * 300 ms on a quiet machine. Steps are counted instead of time, so that a busy machine gives the same results.
 */
export const MAX_INTERRUPTS_PER_CALL = 1_000;

/** Maximum of interrupts of all calls of a task. The remaining calls then fail. */
export const MAX_INTERRUPTS_PER_TASK = 10_000;

/** Milliseconds after which the thread of a task is stopped. */
export const SCRIPT_TASK_TIMEOUT_MS = 20_000;

/** Maximum of calls that a thread receives at once. */
export const MAX_CALLS_PER_TASK = 2_000;

/** Maximum of calls with different arguments in one query. */
export const MAX_SCRIPT_CALLS = 100_000;

/** Maximum of bytes for a script and its interpreter, a multiple of 64 KiB. */
export const SCRIPT_MEMORY_BYTES = 48 * 1024 * 1024;

/** Maximum of bytes of a script's stack. */
export const SCRIPT_STACK_BYTES = 256 * 1024;

/** Maximum of characters of a script's result. */
export const MAX_SCRIPT_ANSWER_LENGTH = 100_000;

/** Maximum of tuples in a set argument of a function. */
export const MAX_SCRIPT_SET = 10_000;
