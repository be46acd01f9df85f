/** Where kept uploads came from: the links, and how their files were read. */
import { basename } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { TableChoices } from '../../../router/capabilities/file-import.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { State } from '../../../router/capabilities/state.ts';
import type { Vault } from '../../../router/capabilities/vault.ts';
import { ReadingChoices } from '../file-reading.ts';
import type { InferenceTables } from './tables.ts';

export interface Origin {
  /** Empty where files were sent. */
  readonly links: readonly string[];
  /** The choices by table, which later files are read with, too. */
  readonly reading: Readonly<Record<string, TableChoices>>;
}

const NO_ORIGIN: Origin = { links: [], reading: {} };
const Content = z.object({ links: z.array(z.string()), reading: ReadingChoices });

export class OriginStore {
  readonly #state: State;
  readonly #vault: Vault;
  readonly #clock: Clock;

  constructor(state: State, vault: Vault, clock: Clock) {
    this.#state = state;
    this.#vault = vault;
    this.#clock = clock;
  }

  get #tables() {
    return this.#state.tables<InferenceTables>();
  }

  /** Returns the origin of a database file; an empty one where none is known, or where it was saved with another key. */
  async get(tenant: TenantId, file: string): Promise<Origin> {
    const row = await this.#tables
      .selectFrom('upload_origins')
      .select('sealed_content')
      .where('tenant_id', '=', tenant)
      .where('file', '=', basename(file))
      .executeTakeFirst();
    const text = row && this.#vault.open(row.sealed_content, contextOf(tenant, file));
    return text === undefined ? NO_ORIGIN : Content.parse(JSON.parse(text));
  }

  async set(tenant: TenantId, file: string, { links, reading }: Origin): Promise<void> {
    // A link may contain a secret.
    const sealed = this.#vault.seal(JSON.stringify({ links, reading }), contextOf(tenant, file));
    const row = { tenant_id: tenant, file: basename(file), sealed_content: sealed, created_at: this.#clock() };
    await this.#tables
      .insertInto('upload_origins')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'file']).doUpdateSet({ sealed_content: sealed, created_at: row.created_at }),
      )
      .execute();
  }

  async remove(tenant: TenantId, file: string): Promise<void> {
    await this.#tables
      .deleteFrom('upload_origins')
      .where('tenant_id', '=', tenant)
      .where('file', '=', basename(file))
      .execute();
  }
}

function contextOf(tenant: TenantId, file: string): string {
  return `upload-origin/${tenant}/${basename(file)}`;
}
