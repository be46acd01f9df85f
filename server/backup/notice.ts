/** Tells a running node that its state was replaced by a backup: what it keeps in memory is of another state then. */
import type { State } from '../../router/capabilities/state.ts';
import { MIGRATIONS_TABLE, type MigrationTables, RESTORED } from '../state/migrations-table.ts';

const LOOK_EVERY_MS = 2_000;

/** Calls `onRestored` once, when a backup is restored after this. Returns how to stop looking. */
export async function watchRestores(
  state: State,
  onRestored: () => void,
  everyMs: number = LOOK_EVERY_MS,
): Promise<() => void> {
  const known = await lastRestored(state);
  const timer = setInterval(() => {
    lastRestored(state).then(
      (mark) => {
        if (mark === known) return;
        clearInterval(timer);
        onRestored();
      },
      // The state is away: the next look will tell.
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
