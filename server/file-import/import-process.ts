/**
 * Reads files into a DuckDB database for `open-file-import.ts`, in a process for one task. A file that makes the reader use all memory or never end
 * costs only its own request.
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
