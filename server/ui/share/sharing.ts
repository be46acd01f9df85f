import type { Client } from '../api-client/client.ts';
import { TOKEN_PLACEHOLDER } from '../code/snippet.ts';
import type { DocumentEntry } from '../documents/document-entries.ts';
import { type ShareError, toShareError } from './share-error.ts';
import {
  endPublic,
  type MintedToken,
  makePublic,
  mintToken,
  type PublicGrant,
  readGrants,
  readTokens,
  revokeToken,
  type TokenEntry,
} from './tokens-and-grants.ts';

/** The people who can see an embed: everybody with a token, or everybody. */
export type Audience = 'token' | 'public';

/** Whether the document is public: by the user, by another user, not at all, or no longer since a moment ago. */
export type PublicAccess =
  | { readonly of: 'nobody' }
  | { readonly of: 'user'; readonly since: Date }
  | { readonly of: 'another'; readonly owner?: string; readonly since?: Date }
  | { readonly of: 'ended' };

export interface SharingState {
  /** The user's tokens of all documents. */
  readonly tokens: readonly TokenEntry[];
  readonly publicAccess: PublicAccess;
  readonly listing: 'reading' | 'read' | ShareError;
  /** The running action; there is at most one. */
  readonly pendingAction: 'nothing' | 'minting' | 'revoking' | 'publishing' | 'ending';
  readonly error: ShareError | undefined;
  /** The token that was created here. The server keeps only its hash, so no other place contains it. */
  readonly minted: (MintedToken & { readonly revoked: boolean }) | undefined;
  /** Counts changes of access, so that the preview reads again after each. */
  readonly revision: number;
}

const INITIAL_STATE: SharingState = {
  tokens: [],
  publicAccess: { of: 'nobody' },
  listing: 'reading',
  pendingAction: 'nothing',
  error: undefined,
  minted: undefined,
  revision: 0,
};

/**
 * Contains the sharing of one document for the dialog. Each state is complete and immutable; `change` announces a new
 * one.
 */
export class Sharing extends EventTarget {
  readonly document: DocumentEntry;
  readonly #client: Client;
  /** Receives every failure, so that the whole page sees an ended session. */
  readonly #reportFailure: (error: unknown) => void;
  #state = INITIAL_STATE;
  #readCount = 0;

  constructor(client: Client, document: DocumentEntry, reportFailure: (error: unknown) => void) {
    super();
    this.#client = client;
    this.document = document;
    this.#reportFailure = reportFailure;
  }

  get state(): SharingState {
    return this.#state;
  }

  /** Reads tokens and grants. The earlier state stays until the answer arrives; a newer read replaces an older one. */
  async read(): Promise<void> {
    this.#readCount += 1;
    const reading = this.#readCount;
    this.#update(this.#state.listing === 'read' ? {} : { listing: 'reading' });
    try {
      const [tokens, grants] = await Promise.all([readTokens(this.#client), readGrants(this.#client)]);
      if (reading !== this.#readCount) return;
      this.#update({ tokens, publicAccess: this.#publicAccessBy(grants), listing: 'read' });
    } catch (error) {
      if (reading !== this.#readCount) return;
      this.#reportFailure(error);
      this.#update({ listing: toShareError(error) });
    }
  }

  /** Creates a token, and returns whether it succeeded. `state.minted` contains its text. */
  mint(details: { readonly label: string; readonly ttlHours: number }): Promise<boolean> {
    return this.#run('minting', async () => {
      const minted = await mintToken(this.#client, this.document, details);
      return { minted: { ...minted, revoked: false } };
    });
  }

  revoke({ id }: TokenEntry): Promise<boolean> {
    return this.#run('revoking', async () => {
      const isMinted = id === this.mintedEntry?.id;
      await revokeToken(this.#client, id);
      const { minted } = this.#state;
      return isMinted && minted !== undefined ? { minted: { ...minted, revoked: true } } : {};
    });
  }

  publish(): Promise<boolean> {
    return this.#run('publishing', async () => {
      await makePublic(this.#client, this.document);
      return { publicAccess: { of: 'user', since: new Date() } };
    });
  }

  endPublic(): Promise<boolean> {
    return this.#run('ending', async () => {
      await endPublic(this.#client, this.document);
      return { publicAccess: { of: 'ended' } };
    });
  }

  /** Clears the state after another sign-in: the next user must see nothing of the previous one. */
  forget(): void {
    this.#update({ ...INITIAL_STATE, revision: this.#state.revision + 1 });
  }

  /** Returns the list's entry of the token that was created here: same document, same expiry to the millisecond. */
  get mintedEntry(): TokenEntry | undefined {
    const ends = this.#state.minted?.expiresAt.getTime();
    return this.#state.tokens.find(
      (token) => isForDocument(token, this.document) && token.expiresAt.getTime() === ends,
    );
  }

  async #run(
    pendingAction: SharingState['pendingAction'],
    act: () => Promise<Partial<SharingState>>,
  ): Promise<boolean> {
    if (this.#state.pendingAction !== 'nothing') return false;
    this.#update({ pendingAction, error: undefined });
    try {
      const changes = await act();
      this.#update({ ...changes, revision: this.#state.revision + 1 });
      await this.read();
      return true;
    } catch (error) {
      this.#reportFailure(error);
      const shareError = toShareError(error);
      this.#update({
        error: shareError,
        ...(shareError.kind === 'public-already' ? { publicAccess: { of: 'another' } } : {}),
      });
      // The list still shows the token or grant that is gone.
      if (shareError.kind === 'gone') await this.read();
      return false;
    } finally {
      this.#update({ pendingAction: 'nothing' });
    }
  }

  /**
   * Determines from the user's grants whether the document is public. The list contains only the user's own grants;
   * only a refusal shows that another user made the document public.
   */
  #publicAccessBy(grants: readonly PublicGrant[]): PublicAccess {
    const grant = grants.find((grant) => isForDocument(grant, this.document));
    if (grant !== undefined)
      return grant.isOwn
        ? { of: 'user', since: grant.createdAt }
        : { of: 'another', owner: grant.owner, since: grant.createdAt };
    const { publicAccess } = this.#state;
    const isListed = publicAccess.of === 'user' || (publicAccess.of === 'another' && publicAccess.owner !== undefined);
    return isListed ? { of: 'nobody' } : publicAccess;
  }

  #update(changes: Partial<SharingState>): void {
    this.#state = { ...this.#state, ...changes };
    this.dispatchEvent(new Event('change'));
  }
}

function isForDocument(
  resource: { readonly kind: string; readonly path: string },
  { kind, path }: DocumentEntry,
): boolean {
  return resource.kind === kind && resource.path === path;
}

/** Returns the tokens of one document. */
export function filterTokens(tokens: readonly TokenEntry[], document: DocumentEntry): readonly TokenEntry[] {
  return tokens.filter((token) => isForDocument(token, document));
}

export type TokenStatus = 'active' | 'expired' | 'revoked';

export function determineTokenStatus({ revoked, expiresAt }: TokenEntry, now: Date): TokenStatus {
  if (revoked) return 'revoked';
  return expiresAt.getTime() <= now.getTime() ? 'expired' : 'active';
}

/**
 * Returns the access that the preview uses: a token, or none for a public document. Undefined without access. A revoked
 * token or ended grant is still used, so that the preview shows what visitors now see.
 */
export function choosePreviewAccess(
  { minted, publicAccess }: SharingState,
  audience: Audience,
): { readonly token: string | undefined } | undefined {
  if (audience === 'token') return minted && { token: minted.token };
  return publicAccess.of === 'nobody' ? undefined : { token: undefined };
}

/** Returns the token for the code: the new one, its placeholder, or none for a public document. */
export function chooseSnippetToken({ minted }: SharingState, audience: Audience): string | undefined {
  if (audience === 'public') return undefined;
  return minted === undefined || minted.revoked ? TOKEN_PLACEHOLDER : minted.token;
}
