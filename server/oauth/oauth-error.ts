/** The codes of RFC 6749 (sections 4.1.2.1 and 5.2), RFC 7591 (section 3.2.2) and RFC 8707 (section 2). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'access_denied';

/** Refuses a request of an agent. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  /** True where somebody else has used the code or the refresh token, so that the permission has ended. */
  readonly isReuse: boolean;

  constructor(code: OAuthErrorCode, message: string, { isReuse = false }: { readonly isReuse?: boolean } = {}) {
    super(message);
    this.code = code;
    this.isReuse = isReuse;
  }
}
