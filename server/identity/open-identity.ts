import { ensureAdministrator, type FirstAdministrator } from './administrator.ts';
import { ApiKeys } from './api-keys.ts';
import { type AccessTokenCallers, Authentication } from './authentication.ts';
import { Csrf } from './csrf.ts';
import type { IdentityDependencies } from './dependencies.ts';
import { ExternalAccounts } from './external-accounts.ts';
import { LoginGuard, type LoginLimit } from './login-guard.ts';
import { DEFAULT_TENANT } from './names.ts';
import { type HashCost, PasswordHashing } from './password-hashing.ts';
import { Sessions } from './sessions.ts';
import { Tenants } from './tenants.ts';
import { Users } from './users.ts';

/** Accounts, and the authentication of callers. */
export interface Identity {
  readonly tenants: Tenants;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly apiKeys: ApiKeys;
  readonly csrf: Csrf;
  readonly authentication: Authentication;
  readonly externalAccounts: ExternalAccounts;
  /** Makes sure that the installation has an administrator; call it at each start of the server. */
  ensureAdministrator(passwordFromEnvironment: string | undefined): Promise<FirstAdministrator>;
}

export interface IdentityOptions extends IdentityDependencies {
  readonly loginLimit?: LoginLimit;
  /** Maximum number of a user's sessions; 0 sets no limit. */
  readonly maxSessions?: number;
  /** The cost of a password's hash; default: OWASP's recommendation. */
  readonly hashCost?: HashCost;
  /** Accepts access tokens, with `accounts` for the users of an identity provider; without it, only API keys are bearer credentials. */
  readonly accessTokens?: ((accounts: ExternalAccounts) => AccessTokenCallers) | undefined;
}

/** Opens identity on a store with the applied `identityMigrations`, and creates the default tenant. */
export async function openIdentity(options: IdentityOptions): Promise<Identity> {
  const { state, clock, log } = options;
  const deps: IdentityDependencies = { state, clock, log };
  const tenants = new Tenants(deps);
  const users = new Users(deps, new PasswordHashing(options.hashCost));
  const sessions = new Sessions(deps, options.maxSessions);
  const apiKeys = new ApiKeys(deps);
  const loginGuard = new LoginGuard(deps, options.loginLimit);
  const externalAccounts = new ExternalAccounts(deps, tenants);
  const accessTokens = options.accessTokens?.(externalAccounts);
  await tenants.ensure(DEFAULT_TENANT);
  return {
    tenants,
    users,
    sessions,
    apiKeys,
    csrf: await Csrf.open(state),
    authentication: new Authentication({ tenants, users, sessions, apiKeys, loginGuard, clock, accessTokens }),
    externalAccounts,
    ensureAdministrator: (password) => ensureAdministrator({ tenants, users, log }, password),
  };
}
