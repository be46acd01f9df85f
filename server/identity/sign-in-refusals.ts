/** The closed list of reasons to refuse a sign-in with an identity provider. */
export const SIGN_IN_REFUSALS = {
  denied: 'The sign-in was not completed at the identity provider. Try again.',
  expired: 'This sign-in has taken too long, or started in another browser. Start again.',
  unavailable: 'The identity provider cannot be reached at the moment. Try again in a minute.',
  rejected: 'The answer of the identity provider cannot be used. Ask your administrator to look into the log.',
  no_name: 'Your account at the identity provider has no name that can be used here. Ask your administrator.',
  no_tenant: 'Your account at the identity provider belongs to no tenant of this installation. Ask your administrator.',
  other_tenant: 'Your account has moved to another tenant. Ask your administrator to remove it from the earlier one.',
  disabled: 'Your account is disabled. Ask your administrator.',
  name_taken: 'Somebody else has your user name here. Ask your administrator.',
} as const;

export type SignInRefusal = keyof typeof SIGN_IN_REFUSALS;

export function isSignInRefusal(text: string): text is SignInRefusal {
  return Object.hasOwn(SIGN_IN_REFUSALS, text);
}

/** Signals a failed sign-in with the identity provider. The message may be shown. */
export class SignInRefusedError extends Error {
  override readonly name = 'SignInRefusedError';
  readonly refusal: SignInRefusal;

  constructor(refusal: SignInRefusal, options?: { readonly cause: unknown }) {
    super(SIGN_IN_REFUSALS[refusal], options);
    this.refusal = refusal;
  }
}
