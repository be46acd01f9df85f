/**
 * A process that reads files into a DuckDB database for `file-import.ts`, and ends. A process, so that a file which makes
 * the reader take all memory, or for ever, costs no more than its own request.
 */

import type { ImportTask } from './protocol.ts';
import { importFiles } from './read-files.ts';

process.once('message', (task: ImportTask) => {
  void importFiles(task).then((reply) => {
    process.send?.(reply, () => process.exit(0));
  });
});
// The parent process has ended: no process will take the result.
process.on('disconnect', () => process.exit(0));
