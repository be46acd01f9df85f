import { randomUUID } from 'node:crypto';
import { type Attributes, attributesKey } from '../../router/capabilities/attributes.ts';
import type { IdentityDependencies } from './dependencies.ts';
import { attributesToColumn, rolesToColumn } from './names.ts';
import { SignInRefusedError } from './sign-in-refusals.ts';
import type { IdentityTables } from './tables.ts';
import type { Tenants } from './tenants.ts';
import { NO_PASSWORD, type User, userFromRow } from './users.ts';

/** A user as an identity provider reports it. */
export interface ExternalIdentity {
  /** An id that the provider never assigns to another person. */
  readonly subject: string;
  readonly name: string;
  /** Name of the tenant. */
  readonly tenant: string;
  readonly roles: readonly string[];
  /**
   * The values of the attributes that the provider assigns, by name; `undefined` for one whose claim is absent. Other
   * attributes of the account stay as they are.
   */
  readonly attributes: Readonly<Record<string, Attributes[string] | undefined>>;
}

/**
 * Accounts of an identity provider's users. The first sign-in creates the account; from then on the provider's subject identifies its owner, and the
 * provider assigns its roles. A name never identifies the owner: a person who gets an existing name at the provider would get that account.
 */
export class ExternalAccounts {
  readonly #deps: IdentityDependencies;
  readonly #tenants: Tenants;

  constructor(deps: IdentityDependencies, tenants: Tenants) {
    this.#deps = deps;
    this.#tenants = tenants;
  }

  /**
   * Returns the account of that identity with its current roles at the provider; creates it on the first sign-in.
   *
   * @throws SignInRefusedError `no_tenant`, `other_tenant`, `name_taken`, `disabled`
   */
  async resolve(issuer: string, identity: ExternalIdentity): Promise<User> {
    const account = (await this.#find(issuer, identity)) ?? (await this.#create(issuer, identity));
    if (account.isDisabled) throw new SignInRefusedError('disabled');
    const tenant = await this.#tenants.byId(account.tenant);
    if (tenant?.name !== identity.tenant) throw new SignInRefusedError('other_tenant');
    const roles = rolesToColumn(identity.roles);
    const attributes = withAssigned(account.attributes, identity.attributes);
    const hasRoles = rolesToColumn(account.roles) === roles;
    if (hasRoles && attributesKey(account.attributes) === attributesKey(attributes)) return account;
    await this.#tables
      .updateTable('users')
      .set({ roles, attributes: attributesToColumn(attributes) })
      .where('id', '=', account.id)
      .execute();
    if (!hasRoles)
      this.#deps.log.info({ user: account.name, roles: identity.roles }, 'the identity provider has changed roles');
    return { ...account, roles: identity.roles, attributes };
  }

  async #find(issuer: string, { subject }: ExternalIdentity): Promise<User | undefined> {
    const row = await this.#tables
      .selectFrom('external_accounts')
      .innerJoin('users', 'users.id', 'external_accounts.user_id')
      .selectAll('users')
      .where('external_accounts.issuer', '=', issuer)
      .where('external_accounts.subject', '=', subject)
      .executeTakeFirst();
    return row === undefined ? undefined : userFromRow(row);
  }

  async #create(issuer: string, identity: ExternalIdentity): Promise<User> {
    const { name, subject, roles } = identity;
    const tenant = await this.#tenants.find(identity.tenant);
    if (tenant === undefined) throw new SignInRefusedError('no_tenant');
    const now = this.#deps.clock();
    const made = await this.#tables.transaction().execute(async (transaction) => {
      const row = await transaction
        .insertInto('users')
        .values({
          id: randomUUID(),
          tenant_id: tenant.id,
          name,
          name_key: name.toLowerCase(),
          password_hash: NO_PASSWORD,
          password_version: 1,
          weak_password: 0,
          roles: rolesToColumn(roles),
          attributes: attributesToColumn(withAssigned({}, identity.attributes)),
          created_at: now,
          disabled_at: null,
        })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'name_key']).doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await transaction
        .insertInto('external_accounts')
        .values({ issuer, subject, user_id: row.id, created_at: now })
        .execute();
      return userFromRow(row);
    });
    if (made !== undefined) {
      this.#deps.log.info({ user: name, tenant: tenant.name }, 'account made for somebody of the identity provider');
      return made;
    }
    // Another request of the same person has just created it; otherwise the name is another user's.
    const other = await this.#find(issuer, identity);
    if (other === undefined) throw new SignInRefusedError('name_taken');
    return other;
  }

  get #tables() {
    return this.#deps.state.tables<IdentityTables>();
  }
}

/** Returns attributes with the provider's values in place of the account's own. */
function withAssigned(attributes: Attributes, assigned: ExternalIdentity['attributes']): Attributes {
  const merged = { ...attributes, ...assigned };
  return Object.fromEntries(
    Object.entries(merged).flatMap(([name, values]) => (values === undefined ? [] : [[name, values]])),
  );
}
