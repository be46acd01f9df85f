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

/** Whom a page with the embed shows it to: who has a token, or everybody. */
export type Audience = 'token' | 'public';

/** Whether the document is public: by the user, by somebody else, not, or not any more since a moment ago. */
export type PublicAccess =
  | { readonly of: 'nobody' }
  | { readonly of: 'user'; readonly since: Date }
  | { readonly of: 'another' }
  | { readonly of: 'ended' };

export interface SharingState {
  /** The user's tokens, of all documents. */
  readonly tokens: readonly TokenEntry[];
  readonly publicAccess: PublicAccess;
  readonly listing: 'reading' | 'read' | ShareError;
  /** What is being done; one thing at a time. */
  readonly pendingAction: 'nothing' | 'minting' | 'revoking' | 'publishing' | 'ending';
  readonly error: ShareError | undefined;
  /** The token that was made here. It is nowhere else: the server keeps its hash only. */
  readonly minted: (MintedToken & { readonly revoked: boolean }) | undefined;
  /** Counts what changed who may read: a preview of before is no proof of what visitors see now. */
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
 * Holds one document's sharing as the dialog sees it. Each state is whole and never changes; `change` tells of a new
 * one.
 */
export class Sharing extends EventTarget {
  readonly document: DocumentEntry;
  readonly #client: Client;
  /** Told of every failure, so that an ended session is seen by the whole page. */
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

  /** Reads tokens and grants. What is shown stays until the answer is there; a newer read wins over an older one. */
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

  /** Makes a token. True when it is there; its text is `state.minted`. */
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

  /** Forgets everything after another sign-in: nothing of the earlier user is shown to the later one. */
  forget(): void {
    this.#update({ ...INITIAL_STATE, revision: this.#state.revision + 1 });
  }

  /**
   * Returns the list's entry of the token that was made here: of this document, ending at the very same millisecond.
   */
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
      // What is gone is still in the list that is shown.
      if (shareError.kind === 'gone') await this.read();
      return false;
    } finally {
      this.#update({ pendingAction: 'nothing' });
    }
  }

  /**
   * Tells from the user's grants whether the document is public. The list holds the user's own grants: that another
   * user made it public is known by a refusal alone.
   */
  #publicAccessBy(grants: readonly PublicGrant[]): PublicAccess {
    const own = grants.find((grant) => isForDocument(grant, this.document));
    if (own !== undefined) return { of: 'user', since: own.createdAt };
    return this.#state.publicAccess.of === 'user' ? { of: 'nobody' } : this.#state.publicAccess;
  }

  #update(changes: Partial<SharingState>): void {
    this.#state = { ...this.#state, ...changes };
    this.dispatchEvent(new Event('change'));
  }
}

function isForDocument(
  given: { readonly kind: string; readonly path: string },
  { kind, path }: DocumentEntry,
): boolean {
  return given.kind === kind && given.path === path;
}

/** Returns the tokens of one document. */
export function tokensOfDocument(tokens: readonly TokenEntry[], document: DocumentEntry): readonly TokenEntry[] {
  return tokens.filter((token) => isForDocument(token, document));
}

export type TokenStatus = 'active' | 'expired' | 'revoked';

export function tokenStatus({ revoked, expiresAt }: TokenEntry, now: Date): TokenStatus {
  if (revoked) return 'revoked';
  return expiresAt.getTime() <= now.getTime() ? 'expired' : 'active';
}

/**
 * Returns what a page needs to show the document now, for the preview: a token, or none because it is public. Undefined
 * when there is nothing to show it with. What was ended a moment ago stays, so that one sees what visitors see from now
 * on.
 */
export function previewAccess(
  { minted, publicAccess }: SharingState,
  audience: Audience,
): { readonly token: string | undefined } | undefined {
  if (audience === 'token') return minted && { token: minted.token };
  return publicAccess.of === 'nobody' ? undefined : { token: undefined };
}

/** Returns the token of a snippet: the one that was just made, its place, or none for what is public. */
export function snippetToken({ minted }: SharingState, audience: Audience): string | undefined {
  if (audience === 'public') return undefined;
  return minted === undefined || minted.revoked ? TOKEN_PLACEHOLDER : minted.token;
}
