/** The changes of data that wait for a confirmation or can be undone, of all tenants. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import { ConflictError, NotFoundError } from '../../router/errors.ts';
import { MAX_LISTED, MAX_PREPARED } from './limits.ts';
import type { ChangeState, DataChangeRow, DataTables } from './tables.ts';

export type NewChange = Pick<DataChangeRow, 'state' | 'datasource_id' | 'name' | 'content'> & {
  readonly id?: string;
  readonly ttlMs: number;
};

/** The content of changes that are of one version of a file. */
const OfFile = z.looseObject({ file: z.string(), version: z.string() });

export class DataChanges {
  readonly #state: State;
  readonly #clock: Clock;

  constructor(state: State, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
  }

  get #tables() {
    return this.#state.tables<DataTables>();
  }

  /** Lists the changes of a tenant that have not expired, the newest first. */
  list(tenant: TenantId): Promise<readonly DataChangeRow[]> {
    return this.#tables
      .selectFrom('data_changes')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('expires_at', '>', this.#clock())
      .orderBy('created_at', 'desc')
      .limit(MAX_LISTED)
      .execute();
  }

  /** @throws NotFoundError for one that is not there, has expired, or has another state */
  async get(tenant: TenantId, id: string, state: ChangeState): Promise<DataChangeRow> {
    const row = await this.#tables
      .selectFrom('data_changes')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .where('state', '=', state)
      .where('expires_at', '>', this.#clock())
      .executeTakeFirst();
    if (row === undefined)
      throw new NotFoundError(
        state === 'prepared'
          ? 'There is no such replacement: its time is over, or it was made already. Bring the files again.'
          : 'This can no longer be undone: its time is over, or it was undone already.',
      );
    return row;
  }

  /** @throws ConflictError where too many replacements wait */
  async add({ tenant, user }: Scope, { ttlMs, id = randomUUID(), ...change }: NewChange): Promise<DataChangeRow> {
    const now = this.#clock();
    if (change.state === 'prepared') {
      const waiting = (await this.list(tenant)).filter(({ state }) => state === 'prepared');
      if (waiting.length >= MAX_PREPARED)
        throw new ConflictError(
          `${MAX_PREPARED} replacements wait for their confirmation already. Confirm or discard one first.`,
          { code: 'replacement_limit' },
        );
    }
    const row: DataChangeRow = {
      ...change,
      id,
      tenant_id: tenant,
      user_name: user,
      created_at: now,
      expires_at: now + ttlMs,
    };
    await this.#tables.insertInto('data_changes').values(row).execute();
    return row;
  }

  /**
   * Moves a change to another state. Of several nodes, one is the first; the others get `false`.
   *
   * @param content of the new state
   */
  async move(row: DataChangeRow, state: ChangeState, content: string, ttlMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#tables
      .updateTable('data_changes')
      .set({ state, content, expires_at: this.#clock() + ttlMs })
      .where('id', '=', row.id)
      .where('state', '=', row.state)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Keeps changes valid where a table was written into their file: the data itself is the same. */
  async followFile(tenant: TenantId, file: string, before: string, after: string): Promise<void> {
    for (const { id, content } of await this.list(tenant)) {
      const parsed = OfFile.safeParse(JSON.parse(content));
      if (!parsed.success || parsed.data.file !== file || parsed.data.version !== before) continue;
      await this.#tables
        .updateTable('data_changes')
        .set({ content: JSON.stringify({ ...parsed.data, version: after }) })
        .where('id', '=', id)
        .where('content', '=', content)
        .execute();
    }
  }

  /** Removes a change; `false` where another caller has removed it. */
  async remove(row: DataChangeRow): Promise<boolean> {
    const { numDeletedRows } = await this.#tables
      .deleteFrom('data_changes')
      .where('id', '=', row.id)
      .where('state', '=', row.state)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  /** Lists the changes of all tenants that have expired. */
  expired(): Promise<readonly DataChangeRow[]> {
    return this.#tables
      .selectFrom('data_changes')
      .selectAll()
      .where('expires_at', '<=', this.#clock())
      .limit(MAX_LISTED)
      .execute();
  }
}
