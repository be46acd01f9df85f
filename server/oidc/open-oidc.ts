import type { Clock } from '../../router/capabilities/clock.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { State } from '../../router/capabilities/state.ts';
import { type Identity, sharedSecret } from '../identity/index.ts';
import { openVault } from '../vault/vault.ts';
import { AccessTokens } from './access-tokens.ts';
import { Provider } from './provider.ts';
import type { OidcSettings } from './settings.ts';
import { SIGN_ON_PATH, SingleSignOn } from './single-sign-on.ts';

/** An identity provider's parts for the process. */
export interface Oidc {
  readonly settings: OidcSettings;
  /** Makes the check of access tokens for `openIdentity`. */
  readonly accessTokens: (accounts: Identity['externalAccounts']) => AccessTokens;
  /** Returns how users sign in at the pages; `undefined` where this server is not registered at the provider. */
  signIn(identity: Identity): Promise<SingleSignOn | undefined>;
}

/** Opens single sign-on; the provider is first called at the first sign-in. */
export function openOidc(
  settings: OidcSettings,
  { state, clock, log }: { readonly state: State; readonly clock: Clock; readonly log: Log },
): Oidc {
  const provider = new Provider(settings, clock);
  return {
    settings,
    accessTokens: (accounts) => new AccessTokens({ settings, provider, accounts, clock, log }),
    async signIn({ externalAccounts: accounts }) {
      const { clientId } = settings;
      if (clientId === undefined) return undefined;
      const vault = openVault(await sharedSecret(state, 'oidc'));
      return new SingleSignOn({ settings: { ...settings, clientId }, provider, accounts, vault, clock, log });
    },
  };
}

/** Describes single sign-on for the sign-in dialog. */
export function signInWay(singleSignOn: SingleSignOn | undefined) {
  return singleSignOn === undefined ? undefined : { label: singleSignOn.label, path: SIGN_ON_PATH };
}
