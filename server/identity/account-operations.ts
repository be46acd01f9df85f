/** Lets administrators manage the users and the API keys of their tenant. */
import { standardErrorFormat } from '../../router/error-body.ts';
import { operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import { apiKeyOperations } from './api-key-operations.ts';
import type { ApiKeys } from './api-keys.ts';
import { userOperations } from './user-operations.ts';
import type { Users } from './users.ts';

export interface AccountDependencies {
  readonly users: Users;
  readonly apiKeys: ApiKeys;
}

export function accountsPlugin({ users, apiKeys }: AccountDependencies) {
  return plugin({
    name: 'accounts',
    title: 'Users and API keys',
    errorFormat: standardErrorFormat,
    router: operations({ ...userOperations(users), ...apiKeyOperations(apiKeys) }),
  });
}
