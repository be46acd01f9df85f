import type { Access } from '../api/client.ts';
import type { RefreshPart } from '../types.ts';
import { acquireToken, type TokenLease } from './tokens.ts';

/**
 * Returns the token of the attribute first, and the token of `getToken` where there is none or the server refuses it.
 */
export const access: RefreshPart['access'] = ({ token, getToken }, source, listener): Access & { release(): void } => {
  let lease: TokenLease | undefined;
  let refused = token === undefined;
  const tokenLease = (): TokenLease => {
    lease ??= acquireToken(getToken, source, listener);
    return lease;
  };
  return {
    token: () => (refused ? tokenLease().token() : token),
    renew(used) {
      refused = true;
      return tokenLease().renew(used);
    },
    release() {
      lease?.release();
      lease = undefined;
    },
  };
};
