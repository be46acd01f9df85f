/** What of an operation goes into the audit log: who, by what surface, to what, how many rows; no values, no secrets. */
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { OperationActivity } from '../../router/capabilities/observer.ts';
import { ERROR_CODE } from '../../router/error-body.ts';
import type { ServiceError } from '../../router/errors.ts';
import type { AuditKind, AuditTables } from './tables.ts';

export type AuditEntry = Omit<AuditTables['audit_log'], 'id' | 'at'>;

/** Operations whose answers hold data of a warehouse, or ask for it. */
const QUERIES: ReadonlySet<string> = new Set([
  ...['query', 'anomaly', 'forecast', 'executeAsync', 'queryResult', 'rowDetail', 'searchValues'].map(
    (each) => `semantic.${each}`,
  ),
  ...['query', 'anomaly', 'forecast', 'executeAsync', 'queryResult', 'drillthrough', 'whatIf', 'searchMembers'].map(
    (each) => `cube.${each}`,
  ),
  ...['semanticAsk', 'cubeAsk'].flatMap((surface) => [`${surface}.ask`, `${surface}.stream`]),
  ...['embed', 'view'].flatMap((surface) => ['readQuery', 'readTile', 'askInBox'].map((each) => `${surface}.${each}`)),
  ...['inference', 'designer'].flatMap((surface) =>
    ['sampleConnection', 'profileConnection', 'tryQuery'].map((each) => `${surface}.${each}`),
  ),
]);

const KINDS: Readonly<Record<string, AuditKind>> = {
  'identity.login': 'SIGN_IN',
  'identity.singleSignOn': 'SIGN_IN',
  'identity.logout': 'SIGN_IN',
  'embed.createToken': 'TOKEN',
  'embed.revokeToken': 'TOKEN',
  'embed.createGrant': 'GRANT',
  'embed.removeGrant': 'GRANT',
};

/** Operations that the log tells of by more than whether they change something. */
export const OPERATIONS_OF_KINDS: ReadonlySet<string> = new Set([...QUERIES, ...Object.keys(KINDS)]);

/** Operations that prove who somebody is, and how. */
const SIGN_INS: Readonly<Record<string, string>> = {
  'identity.login': 'password',
  'identity.singleSignOn': 'single-sign-on',
};

const REFUSALS: ReadonlySet<string> = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'CSRF_REJECTED',
  'EMBED_INVALID',
  'RATE_LIMITED',
] satisfies ServiceError['kind'][]);

/** Members of inputs that name what is acted on. Secrets and values stand in others. */
const NAMES = [
  'connection',
  'connectionName',
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
];
const MAX_NAME = 200;
const MAX_TARGET = 500;

export interface EntryOptions {
  /** Tells whether somebody has that name in a tenant, or in one that could not be told. Without it, every name is told. */
  readonly isAccount?: (tenant: TenantId | undefined, name: string) => Promise<boolean>;
}

/** Returns what the log says of an operation; `undefined` of one that is not worth a line. */
export async function entryOf(
  activity: OperationActivity,
  error: ServiceError | undefined,
  result: unknown,
  durationMs: number,
  { isAccount = async () => true }: EntryOptions = {},
): Promise<AuditEntry | undefined> {
  const kind = kindOf(activity, error);
  if (kind === undefined) return undefined;
  const { owner, operation, address, requestId } = activity;
  const input = await activity.input().catch(() => undefined);
  const proof = SIGN_INS[operation];
  return {
    ...(proof === undefined ? whoCalled(activity) : { ...(await whoSignsIn(owner, input, isAccount)), via: proof }),
    address,
    kind,
    action: operation,
    outcome: error === undefined ? 'OK' : (error.code ?? ERROR_CODE[error.kind]),
    // What nobody in particular has sent may be anything: a path that holds a key, a body of something else.
    target: error?.kind === 'UNAUTHENTICATED' ? null : targetOf(input),
    row_count: rowsOf(result),
    duration_ms: Math.round(durationMs),
    request_id: requestId,
  };
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

type Who = Pick<AuditEntry, 'tenant_id' | 'actor' | 'via'>;

function whoCalled({ caller, owner, access }: OperationActivity): Who {
  if (caller.kind === 'user') return { tenant_id: caller.tenant, actor: caller.user, via: caller.via };
  return { tenant_id: owner?.tenant ?? null, actor: null, via: access === 'embed' ? 'embed' : 'anonymous' };
}

/**
 * Tells who signs in. A name that nobody has is not told: people type passwords there. Of a tenant that is not there it is
 * of no tenant.
 */
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

/** Names what an operation was called on: `connection=shop model=sales`. */
function targetOf(input: unknown): string | null {
  const outer = membersOf(input);
  // A query stands below `query` where the operation takes more than it.
  const members = { ...membersOf(outer.query), ...membersOf(outer.request), ...outer };
  const named = NAMES.flatMap((name) => {
    const value = members[name];
    return typeof value === 'string' && value !== '' ? [`${name}=${value.slice(0, MAX_NAME)}`] : [];
  });
  return named.length === 0 ? null : named.join(' ').slice(0, MAX_TARGET);
}

/** Counts the rows of an answer, wherever its surface tells them. */
function rowsOf(result: unknown): number | null {
  const { rowCount, records, rows, values, answer } = membersOf(result);
  if (typeof rowCount === 'number') return rowCount;
  const all = [records, rows, values].find((each) => Array.isArray(each));
  if (Array.isArray(all)) return all.length;
  return answer === undefined ? null : rowsOf(answer);
}
