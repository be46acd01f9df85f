import type { UserCaller } from '../capabilities/identity.ts';
import type { OperationContext } from '../operation.ts';
import { Reply } from '../reply.ts';

/** Makes the context of a user's call, complete as from a network request. */
export function userContext(caller: UserCaller): OperationContext {
  return {
    caller,
    csrfVerified: true,
    jsonBody: true,
    embedToken: undefined,
    address: '127.0.0.1',
    secure: false,
    requestId: 'test',
    cookies: {},
    reply: new Reply(),
  };
}
