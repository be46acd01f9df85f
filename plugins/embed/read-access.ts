/** The ways in to documents that are shown: an embed on a page of anybody, and our own pages to a signed-in user. */
import { scopeOf } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import { InternalError, NotFoundError, type ServiceError } from '../../router/errors.ts';
import type { OperationContext, OperationMeta } from '../../router/operation.ts';
import { type Steps, settled } from '../../router/steps.ts';
import { type AccessDependencies, type OpenedEmbed, openEmbed, toEmbedInvalid } from './match-token.ts';
import type { Resource } from './schemas.ts';
import { RUN_TOOLS } from './tools.ts';

/** Headers of every answer to a read, errors included. */
const EMBED_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store, max-age=0',
} as const;

/** The part of a request that a door looks at. */
export type DoorCaller = Pick<OperationContext, 'caller' | 'embedToken' | 'actsFor'>;

/** A way in: its addresses, the callers it lets in, and the identity that a document is read under. */
export interface Door {
  readonly access: 'embed' | 'user';
  readonly base: `/${string}`;
  /** Stands at the end of summaries. */
  readonly readers: string;
  /** The agent tools that its reads are. */
  readonly tools: Partial<typeof RUN_TOOLS>;
  /** @throws the refusal where the caller may not read the resource */
  open(caller: DoorCaller, resource: Resource): Steps<OpenedEmbed>;
  /** Makes the refusal of a read; why goes to the log alone. */
  refusal(resource: Resource, why: string): ServiceError;
}

/** Makes the door of embeds: the token or a public grant opens it, whatever else a browser sends. */
export function embedDoor(dependencies: AccessDependencies): Door {
  return {
    access: 'embed',
    base: '/rest/service/api/embed',
    readers: 'of an embed',
    tools: {},
    *open(ctx, resource) {
      const opened = yield* openEmbed(dependencies, ctx.embedToken, resource);
      ctx.actsFor?.(opened.owner);
      return opened;
    },
    refusal: (resource, why) => toEmbedInvalid(dependencies.log, resource, why),
  };
}

/** Makes the access of our own pages: a signed-in user reads with the user's own roles. */
export function sessionDoor(log: Log): Door {
  return {
    access: 'user',
    base: '/rest/service/api/view',
    readers: 'to a signed-in user',
    tools: RUN_TOOLS,
    open({ caller }, resource) {
      if (caller.kind !== 'user') throw new InternalError('A document is viewed by nobody.');
      return settled({ owner: scopeOf(caller), resource });
    },
    refusal({ kind, path }, why) {
      log.debug({ kind, path: path.slice(0, 200), why }, 'view refused');
      return new NotFoundError('There is no such document that you may read.');
    },
  };
}

/** Returns the part of the address that all operations of one kind of access share. */
export function addressOf(
  { access }: Door,
  requestHeaders: readonly string[] = [],
): Pick<OperationMeta['rest'], 'headers' | 'crossOrigin'> {
  const headers = EMBED_HEADERS;
  if (access === 'user') return { headers };
  return { headers, crossOrigin: { requestHeaders: ['X-Service-Embed-Token', ...requestHeaders] } };
}
