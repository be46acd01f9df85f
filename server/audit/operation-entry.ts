/**
 * Makes the audit entry of an operation: the user, the surface, the target, the number of rows; no values, no secrets.
 */
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { OperationActivity } from '../../router/capabilities/observer.ts';
import { ERROR_CODE } from '../../router/error-body.ts';
import type { ServiceError } from '../../router/errors.ts';
import type { Awaitable } from '../../router/steps.ts';
import type { AuditKind, AuditTables } from './tables.ts';

export type AuditEntry = Omit<AuditTables['audit_log'], 'id' | 'at'>;

/** Operations that read or request data of a warehouse. */
const QUERIES: ReadonlySet<string> = new Set([
  ...['query', 'queryStream', 'anomaly', 'forecast', 'executeAsync', 'queryResult', 'rowDetail', 'searchValues'].map(
    (each) => `semantic.${each}`,
  ),
  ...['query', 'anomaly', 'forecast', 'executeAsync', 'queryResult', 'drillthrough', 'whatIf', 'searchMembers'].map(
    (each) => `cube.${each}`,
  ),
  ...['semanticAsk', 'cubeAsk'].flatMap((surface) => [`${surface}.ask`, `${surface}.stream`]),
  ...['embed', 'view'].flatMap((surface) =>
    ['readQuery', 'readTile', 'readQueryRows', 'readTileRows', 'askInBox'].map((each) => `${surface}.${each}`),
  ),
  // An answer of a query that is not saved.
  'view.answer',
  ...['inference', 'designer'].flatMap((surface) =>
    ['sampleConnection', 'profileConnection', 'tryQuery'].map((each) => `${surface}.${each}`),
  ),
]);

const KINDS: Readonly<Record<string, AuditKind>> = {
  'identity.login': 'SIGN_IN',
  'identity.singleSignOn': 'SIGN_IN',
  'identity.logout': 'SIGN_IN',
  'oauth.exchange': 'SIGN_IN',
  'oauth.revoke': 'TOKEN',
  'agents.answerRequest': 'TOKEN',
  'agents.revoke': 'TOKEN',
  'accounts.createApiKey': 'API_KEY',
  'accounts.revokeApiKey': 'API_KEY',
  'accounts.setApiKeyAttributes': 'API_KEY',
  'embed.createToken': 'TOKEN',
  'embed.revokeToken': 'TOKEN',
  'embed.createGrant': 'GRANT',
  'embed.removeGrant': 'GRANT',
};

/** Operations with their own kind of entry, besides those that change something. */
export const OPERATIONS_OF_KINDS: ReadonlySet<string> = new Set([...QUERIES, ...Object.keys(KINDS)]);

/** Operations that prove an identity, and the kind of proof. */
const SIGN_INS: Readonly<Record<string, string>> = {
  'identity.login': 'password',
  'identity.singleSignOn': 'single-sign-on',
  'oauth.exchange': 'access-token',
};

const REFUSALS: ReadonlySet<string> = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'CSRF_REJECTED',
  'EMBED_INVALID',
  'RATE_LIMITED',
] satisfies ServiceError['kind'][]);

/** Members of inputs that name the target. Secrets and values are in other members. */
const NAMES = [
  'connection',
  'connectionName',
  'datasource',
  'model',
  'cube',
  'cubeId',
  'resourceKind',
  'resourcePath',
  'path',
  'tileId',
  'name',
  'label',
  'type',
  'id',
  'client_id',
];
const MAX_NAME = 200;
const MAX_TARGET = 500;

export interface EntryOptions {
  /** Returns whether a tenant (or an unknown tenant) has an account of that name. Without it, every name is recorded. */
  readonly isAccount?: (tenant: TenantId | undefined, name: string) => Promise<boolean>;
}

/** Returns the audit entry of an operation, at once where its input is there; `undefined` for an operation that needs none. */
export function entryOf(
  activity: OperationActivity,
  error: ServiceError | undefined,
  result: unknown,
  durationMs: number,
  { isAccount = async () => true }: EntryOptions = {},
): Awaitable<AuditEntry | undefined> {
  const kind = kindOf(activity, error);
  if (kind === undefined) return undefined;
  const entryWith = (who: Who, input: unknown): AuditEntry => ({
    tenant_id: who.tenant_id,
    actor: who.actor,
    via: who.via,
    address: activity.address,
    kind,
    action: activity.operation,
    outcome: error === undefined ? 'OK' : (error.code ?? ERROR_CODE[error.kind]),
    // An unauthenticated caller may send anything: a path with a key, a body for something else.
    target: error?.kind === 'UNAUTHENTICATED' ? null : targetOf(input),
    viewer: viewerOf(activity),
    row_count: countRows(result),
    duration_ms: Math.round(durationMs),
    request_id: activity.requestId,
  });
  const proof = SIGN_INS[activity.operation];
  const input = inputOf(activity);
  if (proof === undefined && !(input instanceof Promise)) return entryWith(whoCalled(activity), input);
  return awaitedEntry();

  async function awaitedEntry(): Promise<AuditEntry> {
    const read = await input;
    const who =
      proof === undefined
        ? whoCalled(activity)
        : { ...(await whoSignsIn(activity.owner, read, isAccount)), via: proof };
    return entryWith(who, read);
  }
}

/** Returns the input of an operation; `undefined` where it cannot be read. */
function inputOf({ input }: OperationActivity): Awaitable<unknown> {
  try {
    const read = input();
    return read instanceof Promise ? read.catch(() => undefined) : read;
  } catch {
    return undefined;
  }
}

function kindOf(
  { operation, access, writes }: OperationActivity,
  error: ServiceError | undefined,
): AuditKind | undefined {
  const kind = KINDS[operation];
  if (kind !== undefined) return kind;
  if (error !== undefined && REFUSALS.has(error.kind)) return 'REFUSAL';
  if (QUERIES.has(operation)) return 'QUERY';
  if (!writes) return undefined;
  return access === 'administrator' || access === 'administrator-key' ? 'ADMINISTRATION' : 'CHANGE';
}

/** Names the person whose rows were read: the viewer of an embed, or the simulated one of an administrator. */
function viewerOf({ caller, owner }: OperationActivity): string | null {
  const { viewer } = owner ?? {};
  if (viewer !== undefined) return viewer.id.slice(0, MAX_NAME);
  if (caller.kind !== 'user' || caller.viewedBy === undefined) return null;
  const names = Object.keys(caller.attributes ?? {}).map((name) => `attribute ${name}`);
  return [...caller.roles.map((role) => `role ${role}`), ...names].join(', ').slice(0, MAX_NAME);
}

type Who = Pick<AuditEntry, 'tenant_id' | 'actor' | 'via'>;

function whoCalled({ caller, owner, access }: OperationActivity): Who {
  if (caller.kind === 'user') return { tenant_id: caller.tenant, actor: caller.user, via: caller.via };
  return { tenant_id: owner?.tenant ?? null, actor: null, via: access === 'embed' ? 'embed' : 'anonymous' };
}

/** Names the user who signs in. An unknown name or tenant is left out, because people mistype passwords there. */
async function whoSignsIn(
  owner: Scope | undefined,
  input: unknown,
  isAccount: NonNullable<EntryOptions['isAccount']>,
): Promise<Omit<Who, 'via'>> {
  if (owner !== undefined) {
    const isKnown = await isAccount(owner.tenant, owner.user);
    return { tenant_id: owner.tenant, actor: isKnown ? owner.user.slice(0, MAX_NAME) : null };
  }
  const { username } = membersOf(input);
  const isTold = typeof username === 'string' && (await isAccount(undefined, username));
  return { tenant_id: null, actor: isTold ? username.slice(0, MAX_NAME) : null };
}

function membersOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null ? { ...input } : {};
}

/** The targets of inputs that come again with kept answers. */
const targets = new WeakMap<object, string | null>();

/** Names the target of an operation: `connection=shop model=sales`. Nothing changes an input. */
function targetOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null;
  const before = targets.get(input);
  if (before !== undefined) return before;
  const target = targetIn(input);
  targets.set(input, target);
  return target;
}

function targetIn(input: object): string | null {
  const outer = membersOf(input);
  // Some operations have the query in the member `query`.
  const members = { ...membersOf(outer.query), ...membersOf(outer.request), ...outer };
  const named = NAMES.flatMap((name) => {
    const value = members[name];
    return typeof value === 'string' && value !== '' ? [`${name}=${value.slice(0, MAX_NAME)}`] : [];
  });
  return named.length === 0 ? null : named.join(' ').slice(0, MAX_TARGET);
}

/** Counts the rows of an answer, in the member that its surface uses. */
function countRows(result: unknown): number | null {
  const { rowCount, records, rows, values, answer } = membersOf(result);
  if (typeof rowCount === 'number') return rowCount;
  const all = [records, rows, values].find((each) => Array.isArray(each));
  if (Array.isArray(all)) return all.length;
  return answer === undefined ? null : countRows(answer);
}
