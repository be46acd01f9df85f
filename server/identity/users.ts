import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Attributes, AttributeValue } from '../../router/capabilities/attributes.ts';
import { type Accounts, ADMINISTRATOR_ROLE, type TenantId } from '../../router/capabilities/identity.ts';
import { compiledOnce, type RowFinder, type TextPlace } from '../../router/compiled-query.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../router/errors.ts';
import { type Awaitable, run, type Steps, settled } from '../../router/steps.ts';
import type { IdentityDependencies } from './dependencies.ts';
import {
  attributesFromColumn,
  attributesToColumn,
  checkAccountName,
  checkRoles,
  isAccountName,
  rolesFromColumn,
  rolesToColumn,
  tenantIdFromColumn,
} from './names.ts';
import { MAX_PASSWORD_LENGTH, type PasswordHashing } from './password-hashing.ts';
import { weakPassword } from './password-policy.ts';
import type { IdentityTables } from './tables.ts';

/** Replaces a missing password hash: nothing verifies against it. */
export const NO_PASSWORD = '';

/** The default role of a user. */
export const USER_ROLE = 'ROLE_USER';

export interface User {
  readonly id: string;
  readonly tenant: TenantId;
  readonly name: string;
  readonly roles: readonly string[];
  readonly attributes: Attributes;
  readonly createdAtMillis: number;
  /** True for a user who may not sign in. The embeds of such a user show nothing either. */
  readonly isDisabled: boolean;
  /** False for a user of an identity provider. */
  readonly hasPassword: boolean;
  /** True if the password was weak by `weakPassword` when it was set: such a user may not administer a reachable server. */
  readonly hasWeakPassword: boolean;
  /** Grows with each change of the password. A proof of identity is valid while this number stays the same. */
  readonly passwordVersion: number;
}

export interface NewUser {
  readonly tenant: TenantId;
  readonly name: string;
  readonly password: string;
  /** Default: `ROLE_USER`. */
  readonly roles?: readonly string[] | undefined;
  readonly attributes?: Attributes | undefined;
}

/** Users with a name and a password. A name is unique in its tenant in any letter case. */
export class Users implements Accounts {
  readonly #deps: IdentityDependencies;
  readonly #hashing: PasswordHashing;
  readonly #byName: RowFinder<IdentityTables['users'], 'tenant' | 'name'>;
  /** The users of rows, which are the same objects while nothing was committed. */
  readonly #ofRows = new WeakMap<IdentityTables['users'], User>();

  constructor(deps: IdentityDependencies, hashing: PasswordHashing) {
    this.#deps = deps;
    this.#hashing = hashing;
    this.#byName = compiledOnce(deps.state, (tables: Kysely<IdentityTables>, text: TextPlace<'tenant' | 'name'>) =>
      tables.selectFrom('users').selectAll().where('tenant_id', '=', text('tenant')).where('name', '=', text('name')),
    );
  }

  /**
   * @throws ConflictError when the name is taken
   * @throws ValidationError at `name`, `password`, `roles[i]` or `attributes`
   */
  async add({ tenant, name, password, roles = [USER_ROLE], attributes = {} }: NewUser): Promise<User> {
    checkAccountName('name', name);
    checkRoles(roles);
    checkPassword(password);
    const row = await this.#tables
      .insertInto('users')
      .values({
        id: randomUUID(),
        tenant_id: tenant,
        name,
        name_key: name.toLowerCase(),
        password_hash: await this.#hashing.hash(password),
        password_version: 1,
        weak_password: weakPassword(password, name) === undefined ? 0 : 1,
        roles: rolesToColumn(roles),
        attributes: attributesToColumn(attributes),
        created_at: this.#deps.clock(),
        disabled_at: null,
      })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'name_key']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) {
      throw new ConflictError(`There is a user ${name} already (names that differ only in case count as the same).`);
    }
    return userFromRow(row);
  }

  /** Lists users by name: of one tenant, or of all. */
  async list(tenant?: TenantId): Promise<readonly User[]> {
    let select = this.#tables.selectFrom('users').selectAll().orderBy('name').orderBy('tenant_id');
    if (tenant !== undefined) select = select.where('tenant_id', '=', tenant);
    return (await select.execute()).map(userFromRow);
  }

  find(tenant: TenantId, name: string): Awaitable<User | undefined> {
    return run(this.#finding(tenant, name));
  }

  /** Returns the user of that name, unless the user is disabled. */
  findActive(tenant: TenantId, name: string): Awaitable<User | undefined> {
    return run(this.#findingActive(tenant, name));
  }

  *#findingActive(tenant: TenantId, name: string): Steps<User | undefined> {
    const user = yield* this.#finding(tenant, name);
    return user?.isDisabled === false ? user : undefined;
  }

  *#finding(tenant: TenantId, name: string): Steps<User | undefined> {
    const row = yield* settled(this.#row(tenant, name));
    if (row === undefined) return undefined;
    const user = this.#ofRows.get(row) ?? userFromRow(row);
    this.#ofRows.set(row, user);
    return user;
  }

  async byId(id: string): Promise<User | undefined> {
    const row = await this.#tables.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? undefined : userFromRow(row);
  }

  async rolesOf(tenant: TenantId, user: string): Promise<readonly string[] | undefined> {
    return (await this.find(tenant, user))?.roles;
  }

  /**
   * Returns the user if the password is right and the user is not disabled. A wrong password and an unknown name take the same time. Replaces a hash of
   * a lower cost.
   */
  async verify(tenant: TenantId | undefined, name: string, password: string): Promise<User | undefined> {
    const row = tenant === undefined ? undefined : await this.#row(tenant, name);
    const stored = row?.password_hash === NO_PASSWORD ? undefined : row?.password_hash;
    const right = await this.#hashing.verify(stored, password);
    if (!right || row === undefined || row.disabled_at !== null) return undefined;
    if (this.#hashing.isOutdated(row.password_hash)) {
      await this.#tables
        .updateTable('users')
        .set({ password_hash: await this.#hashing.hash(password) })
        .where('id', '=', row.id)
        // Not after a change of the password in between.
        .where('password_hash', '=', row.password_hash)
        .execute();
    }
    return userFromRow(row);
  }

  /** Sets a new password and ends the user's sessions. @throws NotFoundError, ValidationError at `password` */
  async passwd(tenant: TenantId, name: string, password: string): Promise<void> {
    checkPassword(password);
    const hash = await this.#hashing.hash(password);
    await this.#tables.transaction().execute(async (transaction) => {
      const changed = await transaction
        .updateTable('users')
        .set((expression) => ({
          password_hash: hash,
          password_version: expression('password_version', '+', 1),
          weak_password: weakPassword(password, name) === undefined ? 0 : 1,
        }))
        .where('tenant_id', '=', tenant)
        .where('name', '=', searchable(name))
        .returning('id')
        .executeTakeFirst();
      if (changed === undefined) throw unknownUser(name);
      await transaction.deleteFrom('sessions').where('user_id', '=', changed.id).execute();
    });
  }

  /**
   * Adds a role; does nothing when the user has it.
   *
   * @throws NotFoundError, ValidationError at `roles[0]`
   */
  async grant(tenant: TenantId, name: string, role: string): Promise<void> {
    checkRoles([role]);
    await this.#withAccountsOf(tenant, async (transaction, users) => {
      const user = users.find((candidate) => candidate.name === name);
      if (user === undefined) throw unknownUser(name);
      await transaction
        .updateTable('users')
        .set({ roles: rolesToColumn([...user.roles, role]) })
        .where('id', '=', user.id)
        .execute();
    });
  }

  /**
   * Replaces the roles of a user; applies from the user's next request on.
   *
   * @throws NotFoundError, ValidationError at `roles[i]`
   * @throws ConflictError for the last administrator of the tenant, and for an administrator with a weak password
   */
  async setRoles(tenant: TenantId, name: string, roles: readonly string[]): Promise<void> {
    checkRoles(roles);
    await this.#withAccountsOf(tenant, async (transaction, users) => {
      const user = users.find((candidate) => candidate.name === name);
      if (user === undefined) throw unknownUser(name);
      if (!roles.includes(ADMINISTRATOR_ROLE)) requireAnotherAdministrator(users, user);
      else if (!isAdministrator(user) && user.hasWeakPassword)
        throw new ConflictError(`The password of ${name} is weak. Set a longer one first.`);
      await transaction
        .updateTable('users')
        .set({ roles: rolesToColumn(roles) })
        .where('id', '=', user.id)
        .execute();
    });
  }

  /**
   * Disables a user, and ends the user's sessions; or lets the user sign in again. Documents, tokens and grants stay.
   *
   * @throws NotFoundError
   * @throws ConflictError for the last administrator of the tenant
   */
  async setDisabled(tenant: TenantId, name: string, isDisabled: boolean): Promise<void> {
    await this.#withAccountsOf(tenant, async (transaction, users) => {
      const user = users.find((candidate) => candidate.name === name);
      if (user === undefined) throw unknownUser(name);
      if (isDisabled) requireAnotherAdministrator(users, user);
      await transaction
        .updateTable('users')
        .set({ disabled_at: isDisabled ? this.#deps.clock() : null })
        .where('id', '=', user.id)
        .execute();
      if (isDisabled) await transaction.deleteFrom('sessions').where('user_id', '=', user.id).execute();
    });
  }

  /**
   * Sets all attributes of a user; applies from the user's next request on.
   *
   * @throws NotFoundError, ValidationError at `attributes`
   */
  async setAttributes(tenant: TenantId, name: string, attributes: Attributes): Promise<void> {
    await this.changeAttributes(tenant, name, () => attributes);
  }

  /**
   * Sets the values of one attribute of a user; without values, removes it.
   *
   * @throws NotFoundError, ValidationError at `attributes`
   */
  async setAttribute(
    tenant: TenantId,
    name: string,
    attribute: string,
    values: readonly AttributeValue[] | undefined,
  ): Promise<void> {
    await this.changeAttributes(tenant, name, (before) => withAttribute(before, attribute, values));
  }

  /** @throws NotFoundError, ValidationError at `attributes` */
  async changeAttributes(tenant: TenantId, name: string, change: (before: Attributes) => Attributes): Promise<void> {
    await this.#withAccountsOf(tenant, async (transaction, users) => {
      const user = users.find((candidate) => candidate.name === name);
      if (user === undefined) throw unknownUser(name);
      const attributes = attributesToColumn(change(user.attributes));
      await transaction.updateTable('users').set({ attributes }).where('id', '=', user.id).execute();
    });
  }

  /**
   * Removes the user and ends its sessions.
   *
   * @throws NotFoundError
   * @throws ConflictError for the last administrator of the tenant
   */
  async remove(tenant: TenantId, name: string): Promise<void> {
    await this.#withAccountsOf(tenant, async (transaction, users) => {
      const user = users.find((candidate) => candidate.name === name);
      if (user === undefined) throw unknownUser(name);
      requireAnotherAdministrator(users, user);
      await transaction.deleteFrom('users').where('id', '=', user.id).execute();
    });
  }

  /**
   * Runs `work` on the users of a tenant exclusively. Two simultaneous removals would each see the other administrator; the lock on the tenant's row
   * lets one go first. SQLite's transactions exclude each other.
   */
  async #withAccountsOf(
    tenant: TenantId,
    work: (transaction: Transaction<IdentityTables>, users: readonly User[]) => Promise<void>,
  ): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      if (this.#deps.state.engine === 'postgresql') {
        await transaction.selectFrom('tenants').select('id').where('id', '=', tenant).forUpdate().execute();
      }
      const rows = await transaction.selectFrom('users').selectAll().where('tenant_id', '=', tenant).execute();
      await work(transaction, rows.map(userFromRow));
    });
  }

  #row(tenant: TenantId, name: string): Awaitable<IdentityTables['users'] | undefined> {
    return this.#byName({ tenant, name: searchable(name) });
  }

  get #tables() {
    return this.#deps.state.tables<IdentityTables>();
  }
}

/**
 * Returns a text for a search: a name that no user has in place of a text that cannot be a name, because PostgreSQL refuses to compare with a NUL.
 */
function searchable(name: string): string {
  return isAccountName(name) ? name : '';
}

function checkPassword(password: string): void {
  if (password === '') throw ValidationError.at(['password'], 'Give a password.');
  if (password.length > MAX_PASSWORD_LENGTH) {
    throw ValidationError.at(['password'], `Give a password of at most ${MAX_PASSWORD_LENGTH} characters.`);
  }
}

function isAdministrator({ roles }: User): boolean {
  return roles.includes(ADMINISTRATOR_ROLE);
}

/** @throws ConflictError for the only administrator of `users` who can sign in */
function requireAnotherAdministrator(users: readonly User[], { id, name }: User): void {
  const administrators = users.filter((user) => isAdministrator(user) && !user.isDisabled);
  if (administrators.length === 1 && administrators[0]?.id === id)
    throw new ConflictError(`${name} is the last administrator. Make another administrator first.`);
}

function unknownUser(name: string): NotFoundError {
  return new NotFoundError(isAccountName(name) ? `There is no user ${name}.` : 'There is no such user.');
}

export function userFromRow(row: IdentityTables['users']): User {
  return {
    id: row.id,
    tenant: tenantIdFromColumn(row.tenant_id),
    name: row.name,
    roles: rolesFromColumn(row.roles),
    attributes: attributesFromColumn(row.attributes),
    createdAtMillis: row.created_at,
    isDisabled: row.disabled_at !== null,
    hasPassword: row.password_hash !== NO_PASSWORD,
    hasWeakPassword: row.weak_password === 1,
    passwordVersion: row.password_version,
  };
}

/** Returns attributes with other values of one; without values, without it. */
export function withAttribute(
  attributes: Attributes,
  name: string,
  values: readonly AttributeValue[] | undefined,
): Attributes {
  const { [name]: _, ...others } = attributes;
  return values === undefined ? others : { ...others, [name]: values };
}
