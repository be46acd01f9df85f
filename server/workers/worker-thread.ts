/** Starts a thread of an entry point that exchanges messages with a plugin. */
import type { StartThread } from '../../router/capabilities/worker-thread.ts';
import { workerOf } from './start-worker.ts';

/** @param module a source file (in tests) or a built one */
export function threadOf<Message>(module: URL): StartThread<Message> {
  return ({ received, ended }) => {
    const worker = workerOf(module);
    let error: Error | undefined;
    worker.unref();
    worker.on('message', received);
    worker.on('error', (cause) => {
      error = cause;
    });
    worker.on('exit', () => ended(error));
    return {
      send: (message) => worker.postMessage(message),
      end: async () => {
        await worker.terminate();
      },
    };
  };
}
