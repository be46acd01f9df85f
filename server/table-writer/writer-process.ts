/**
 * Writes computed tables into a copy of a database for `open-table-writer.ts`, in a process for one task. It locks the database
 * that is copied, which the process that reads it could not do: closing a copied file gives up every lock of a process on it.
 */
import type { WriteTask } from './protocol.ts';
import { writeTables } from './write-tables.ts';

process.once('message', (task: WriteTask) => {
  void writeTables(task).then((reply) => process.send?.(reply));
});
// The parent process has placed the copy, or has ended.
process.on('disconnect', () => process.exit(0));
