import type { WorkerPool } from '../../../router/capabilities/worker-pool.ts';
import { MAX_CALLS_PER_TASK, SCRIPT_TASK_TIMEOUT_MS } from './limits.ts';
import type { ScriptOutcome, ScriptRunner, ScriptTask } from './script.ts';

export type ScriptPool = WorkerPool<ScriptTask, readonly ScriptOutcome[]>;

/** Returns a runner that passes scripts to a pool of threads. A task that takes too long is stopped with its thread. */
export function pooledScripts(pool: ScriptPool, timeoutMs = SCRIPT_TASK_TIMEOUT_MS): ScriptRunner {
  return inParts(async (task, signal) => {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await pool.run(task, signal === undefined ? limit : AbortSignal.any([signal, limit]));
    } catch (error) {
      if (!limit.aborted || signal?.aborted === true) throw error;
      return task.calls.map(() => ({ ok: false, message: 'it takes too long' }));
    }
  });
}

/** Runs scripts in the calling thread, for commands that serve no other requests. */
export const SCRIPTS_INLINE: ScriptRunner = inParts(async (task) => {
  const { runScriptTask } = await import('./run-task.ts');
  return runScriptTask(task);
});

function inParts(run: ScriptRunner['run']): ScriptRunner {
  return {
    async run(task, signal) {
      const outcomes: ScriptOutcome[] = [];
      for (let from = 0; from < task.calls.length; from += MAX_CALLS_PER_TASK) {
        signal?.throwIfAborted();
        const calls = task.calls.slice(from, from + MAX_CALLS_PER_TASK);
        outcomes.push(...(await run({ ...task, calls }, signal)));
      }
      return outcomes;
    },
  };
}
