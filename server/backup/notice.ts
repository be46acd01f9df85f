/** Notifies a running node that a backup replaced its state: its memory belongs to the old state. */
import type { State } from '../../router/capabilities/state.ts';
import { MIGRATIONS_TABLE, type MigrationTables, RESTORED } from '../state/migrations-table.ts';

const LOOK_EVERY_MS = 2_000;

/** Calls `onRestored` once when a backup is restored after this call. Returns a function that stops the checks. */
export async function watchRestores(
  state: State,
  onRestored: () => void,
  everyMs: number = LOOK_EVERY_MS,
): Promise<() => void> {
  const restoredBefore = await lastRestored(state);
  const timer = setInterval(() => {
    lastRestored(state).then(
      (mark) => {
        if (mark === restoredBefore) return;
        clearInterval(timer);
        onRestored();
      },
      // The state is unavailable; the next check finds out.
      () => undefined,
    );
  }, everyMs).unref();
  return () => clearInterval(timer);
}

async function lastRestored(state: State): Promise<string | undefined> {
  const row = await state
    .tables<MigrationTables>()
    .selectFrom(MIGRATIONS_TABLE)
    .where('owner', '=', RESTORED)
    .select('name')
    .orderBy('name', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.name;
}
