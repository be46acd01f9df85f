import type { LivePart } from '../contract.ts';
import type { Access } from '../read/client.ts';
import { type HeldToken, hold } from './tokens.ts';

/** The token of the attribute first, and what `getToken` gives when there is none or the server refuses it. */
export const access: LivePart['access'] = ({ token, getToken }, source, holder): Access & { release(): void } => {
  let held: HeldToken | undefined;
  let refused = token === undefined;
  const given = (): HeldToken => {
    held ??= hold(getToken, source, holder);
    return held;
  };
  return {
    token: () => (refused ? given().token() : token),
    renew(used) {
      refused = true;
      return given().renew(used);
    },
    release() {
      held?.release();
      held = undefined;
    },
  };
};
