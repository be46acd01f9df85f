/** The entry of a worker thread, which paints one answer after another. */
import { parentPort } from 'node:worker_threads';
import { paint } from './picture.ts';

parentPort?.on('message', (task: unknown) => {
  // A rejection ends the thread, which the pool reports.
  void paint(task).then((painted) => parentPort?.postMessage(painted));
});
