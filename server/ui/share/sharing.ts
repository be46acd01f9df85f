import type { DocumentEntry } from '../account/documents.ts';
import type { Client } from '../read/client.ts';
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
} from './access.ts';
import { type Refusal, refusalOf } from './refusal.ts';

/** Whom a page with the embed shows it to: who has a token, or everybody. */
export type Way = 'token' | 'public';

/** Whether the document is public: by the user, by somebody else, not, or not any more since a moment ago. */
export type Publicity =
  | { readonly of: 'nobody' }
  | { readonly of: 'user'; readonly since: Date }
  | { readonly of: 'another' }
  | { readonly of: 'ended' };

export interface SharingState {
  /** The user's tokens, of all documents. */
  readonly tokens: readonly TokenEntry[];
  readonly publicity: Publicity;
  readonly listing: 'reading' | 'read' | Refusal;
  /** What is being done; one thing at a time. */
  readonly doing: 'nothing' | 'minting' | 'revoking' | 'publishing' | 'ending';
  readonly refusal: Refusal | undefined;
  /** The token that was made here. It is nowhere else: the server keeps its hash only. */
  readonly minted: (MintedToken & { readonly revoked: boolean }) | undefined;
  /** Counts what changed who may read: a preview of before is no proof of what visitors see now. */
  readonly revision: number;
}

const AT_FIRST: SharingState = {
  tokens: [],
  publicity: { of: 'nobody' },
  listing: 'reading',
  doing: 'nothing',
  refusal: undefined,
  minted: undefined,
  revision: 0,
};

/** One document's sharing as the dialog sees it. Each state is whole and never changes; `change` tells of a new one. */
export class Sharing extends EventTarget {
  readonly document: DocumentEntry;
  readonly #client: Client;
  /** Told of every failure, so that an ended session is seen by the whole page. */
  readonly #sawFailure: (error: unknown) => void;
  #state = AT_FIRST;
  #reading = 0;

  constructor(client: Client, document: DocumentEntry, sawFailure: (error: unknown) => void) {
    super();
    this.#client = client;
    this.document = document;
    this.#sawFailure = sawFailure;
  }

  get state(): SharingState {
    return this.#state;
  }

  /** Reads tokens and grants. What is shown stays until the answer is there; a newer read wins over an older one. */
  async read(): Promise<void> {
    this.#reading += 1;
    const reading = this.#reading;
    this.#become(this.#state.listing === 'read' ? {} : { listing: 'reading' });
    try {
      const [tokens, grants] = await Promise.all([readTokens(this.#client), readGrants(this.#client)]);
      if (reading !== this.#reading) return;
      this.#become({ tokens, publicity: this.#publicityBy(grants), listing: 'read' });
    } catch (error) {
      if (reading !== this.#reading) return;
      this.#sawFailure(error);
      this.#become({ listing: refusalOf(error) });
    }
  }

  /** True when the token is there; its text is `state.minted`. */
  mint(wish: { readonly label: string; readonly ttlHours: number }): Promise<boolean> {
    return this.#do('minting', async () => {
      const minted = await mintToken(this.#client, this.document, wish);
      return { minted: { ...minted, revoked: false } };
    });
  }

  revoke({ id }: TokenEntry): Promise<boolean> {
    return this.#do('revoking', async () => {
      const isMinted = id === this.mintedEntry?.id;
      await revokeToken(this.#client, id);
      const { minted } = this.#state;
      return isMinted && minted !== undefined ? { minted: { ...minted, revoked: true } } : {};
    });
  }

  publish(): Promise<boolean> {
    return this.#do('publishing', async () => {
      await makePublic(this.#client, this.document);
      return { publicity: { of: 'user', since: new Date() } };
    });
  }

  endPublic(): Promise<boolean> {
    return this.#do('ending', async () => {
      await endPublic(this.#client, this.document);
      return { publicity: { of: 'ended' } };
    });
  }

  /** After another sign-in: nothing of the earlier user is shown to the later one. */
  forget(): void {
    this.#become({ ...AT_FIRST, revision: this.#state.revision + 1 });
  }

  /** The list's entry of the token that was made here: of this document, ending at the very same millisecond. */
  get mintedEntry(): TokenEntry | undefined {
    const ends = this.#state.minted?.expiresAt.getTime();
    return this.#state.tokens.find((token) => isOf(token, this.document) && token.expiresAt.getTime() === ends);
  }

  async #do(doing: SharingState['doing'], act: () => Promise<Partial<SharingState>>): Promise<boolean> {
    if (this.#state.doing !== 'nothing') return false;
    this.#become({ doing, refusal: undefined });
    try {
      const outcome = await act();
      this.#become({ ...outcome, revision: this.#state.revision + 1 });
      await this.read();
      return true;
    } catch (error) {
      this.#sawFailure(error);
      const refusal = refusalOf(error);
      this.#become({ refusal, ...(refusal.kind === 'public-already' ? { publicity: { of: 'another' } } : {}) });
      // What is gone is still in the list that is shown.
      if (refusal.kind === 'gone') await this.read();
      return false;
    } finally {
      this.#become({ doing: 'nothing' });
    }
  }

  /** The list holds the user's own grants: that another user made it public is known by a refusal alone. */
  #publicityBy(grants: readonly PublicGrant[]): Publicity {
    const own = grants.find((grant) => isOf(grant, this.document));
    if (own !== undefined) return { of: 'user', since: own.createdAt };
    return this.#state.publicity.of === 'user' ? { of: 'nobody' } : this.#state.publicity;
  }

  #become(changes: Partial<SharingState>): void {
    this.#state = { ...this.#state, ...changes };
    this.dispatchEvent(new Event('change'));
  }
}

function isOf(given: { readonly kind: string; readonly path: string }, { kind, path }: DocumentEntry): boolean {
  return given.kind === kind && given.path === path;
}

/** The tokens of one document; those that work come first. */
export function tokensOf(tokens: readonly TokenEntry[], document: DocumentEntry): readonly TokenEntry[] {
  return tokens.filter((token) => isOf(token, document));
}

export type TokenStatus = 'active' | 'expired' | 'revoked';

export function statusOf({ revoked, expiresAt }: TokenEntry, now: Date): TokenStatus {
  if (revoked) return 'revoked';
  return expiresAt.getTime() <= now.getTime() ? 'expired' : 'active';
}

/**
 * What a page needs to show the document now, for the preview: a token, or none because it is public. Undefined when
 * there is nothing to show it with. What was ended a moment ago stays, so that one sees what visitors see from now on.
 */
export function openedBy(
  { minted, publicity }: SharingState,
  way: Way,
): { readonly token: string | undefined } | undefined {
  if (way === 'token') return minted && { token: minted.token };
  return publicity.of === 'nobody' ? undefined : { token: undefined };
}

/** Stands in a snippet where a token belongs that nobody sees any more. */
export const TOKEN_PLACE = 'EMBED-TOKEN';

/** The token of a snippet: the one that was just made, its place, or none for what is public. */
export function writtenToken({ minted }: SharingState, way: Way): string | undefined {
  if (way === 'public') return undefined;
  return minted === undefined || minted.revoked ? TOKEN_PLACE : minted.token;
}
