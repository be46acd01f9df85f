/** The entry of a worker thread, which writes one document after another. */
import { parentPort } from 'node:worker_threads';
import { writePaper } from './paper.ts';

parentPort?.on('message', (task: unknown) => {
  // A rejection ends the thread, which the pool reports.
  void writePaper(task).then((written) => parentPort?.postMessage(written));
});
