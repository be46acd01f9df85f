/** Finds what a change of a model breaks, by asking the model before and after the change for each stored request. */

import type { Clock } from '../../../router/capabilities/clock.ts';
import type { Scope } from '../../../router/capabilities/identity.ts';
import type { CertifiedAnswer } from '../../../router/certified-answer.ts';
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { NotFoundError, ValidationError } from '../../../router/errors.ts';
import { COMPARED_PART_NAMES } from '../compare/parts.ts';
import type { RoleRule } from '../model/extensions.ts';
import type { Model } from '../model/model.ts';
import { type Engine, prepare } from '../prepare.ts';
import { fieldKey } from '../query/nodes/field-key.ts';
import type { QuerySettings, Target } from '../query/nodes/query-target.ts';
import { applyAccessPolicy } from '../query/request/access-policy.ts';
import { SemanticQueryRequest } from '../schemas.ts';
import { STORED_REQUEST_KINDS, type StoredRequest } from './stored-requests.ts';

/** An embed token or a public grant, which answers with the roles of its owner. */
export interface Embed {
  readonly kind: 'token' | 'public-grant';
  readonly id: string;
  readonly label: string | undefined;
  /** The document that it opens. */
  readonly path: string;
  readonly scope: Scope;
}

export const BREAK_KINDS = [...STORED_REQUEST_KINDS, 'token', 'public-grant'] as const;

export interface Break {
  readonly kind: (typeof BREAK_KINDS)[number];
  readonly path: string;
  readonly title: string;
  readonly tile?: string | undefined;
  /** The id of a token or a grant. */
  readonly id?: string | undefined;
  /** The place in the request; absent where the request is answered, but lacks a column or a filter. */
  readonly field?: string | undefined;
  readonly message: string;
  /** Roles that it breaks for; absent where it breaks for everybody. */
  readonly roles?: readonly string[] | undefined;
}

export interface BreakageOptions {
  /** The served model; `undefined` where none is. */
  readonly before: Target | undefined;
  readonly after: Target;
  readonly caller: Scope;
  readonly embeds: readonly Embed[];
  readonly cache: Engine['cache'];
  readonly settings: QuerySettings & { readonly clock: Clock };
  readonly signal: AbortSignal | undefined;
}

/** A stored request, as it is and as the change writes it. */
export interface ChangedRequest {
  readonly before: StoredRequest;
  readonly after: StoredRequest;
}

/** Returns everything that is answered before the change, and not after it. */
export async function breakage(
  requests: readonly ChangedRequest[],
  options: BreakageOptions,
): Promise<readonly Break[]> {
  const { before, after, caller, embeds } = options;
  if (before === undefined) return [];
  const yieldTurn = cooperativeYield();
  const roles = [...new Set([...rolesNamed(before.model), ...rolesNamed(after.model)])].sort();
  const breaks: Break[] = [];
  for (const request of [...requests, ...certifiedRequests(before.model, after.model)]) {
    await yieldTurn();
    breaks.push(...(await breakOf(request, caller, roles, options)));
    for (const embed of embeds) {
      if (embed.path !== request.before.path) continue;
      const reason = await reasonFor(request, embed.scope, options);
      if (reason !== undefined) breaks.push({ ...reason, ...embedName(embed, request.before) });
    }
  }
  return breaks;
}

/** Pairs each certified answer with the one of the same question after the change. */
function certifiedRequests(before: Model, after: Model): readonly ChangedRequest[] {
  return before.certified.flatMap((answer) => {
    const changed = after.certified.find(({ question }) => question === answer.question);
    const pair = [asStored(answer, before), changed && asStored(changed, after)] as const;
    return pair[0] === undefined || pair[1] === undefined ? [] : [{ before: pair[0], after: pair[1] }];
  });
}

/** Returns a certified answer as a stored request; `undefined` where it has not the shape of one. */
function asStored(answer: CertifiedAnswer, { name }: Model): StoredRequest | undefined {
  const read = SemanticQueryRequest.safeParse({ ...answer.request, connection: name, model: name });
  if (!read.success) return undefined;
  const { question: title } = answer;
  return { kind: 'certified-answer', path: name, title, request: read.data, columns: [], filterable: [] };
}

function embedName({ kind, id, label, path }: Embed, { title, tile }: StoredRequest) {
  return { kind, id, path, title: label ?? title, tile };
}

async function breakOf(
  request: ChangedRequest,
  caller: Scope,
  roles: readonly string[],
  options: BreakageOptions,
): Promise<readonly Break[]> {
  const { kind, path, title, tile } = request.before;
  const name = { kind, path, title, tile };
  const reason = await reasonFor(request, caller, options);
  if (reason !== undefined) return [{ ...reason, ...name }];
  // Nobody but administrators has a role of their own only.
  const refused: string[] = [];
  let first: Reason | undefined;
  for (const role of roles) {
    if (caller.roles.includes(role)) continue;
    const reasonOfRole = await reasonFor(request, { ...caller, roles: [role] }, options);
    if (reasonOfRole === undefined) continue;
    refused.push(role);
    first ??= reasonOfRole;
  }
  return first === undefined ? [] : [{ ...first, ...name, roles: refused }];
}

type Reason = Pick<Break, 'field' | 'message'>;

/** Explains why a request is answered before the change and not after it; `undefined` where it does not break. */
async function reasonFor(
  { before: request, after: changed }: ChangedRequest,
  scope: Scope,
  options: BreakageOptions,
): Promise<Reason | undefined> {
  const { before, after } = options;
  if (before === undefined) return undefined;
  const now = await outcomeOf(changed, after, scope, options);
  const lost = 'reason' in now ? [] : missing(changed, now);
  if (!('reason' in now) && lost.length === 0) return undefined;
  const then = await outcomeOf(request, before, scope, options);
  if ('reason' in then) return undefined;
  if ('reason' in now) return now.reason;
  const already = new Set(missing(request, then).map(({ index }) => index));
  const [first] = lost.filter(({ index }) => !already.has(index));
  return first === undefined ? undefined : { message: `The answer has no "${first.key}", which it uses.` };
}

interface Outcome {
  readonly columns: ReadonlySet<string>;
  readonly hasField: (key: string) => boolean;
}

/** Lists the keys that a document uses and the answer or the model does not have, by their place in the document. */
function missing({ columns, filterable }: StoredRequest, outcome: Outcome) {
  const keys = [
    ...columns.map((key) => ({ key, isThere: outcome.columns.has(key) })),
    ...filterable.map((key) => ({ key, isThere: outcome.hasField(key) })),
  ];
  return keys.map((each, index) => ({ ...each, index })).filter(({ isThere }) => !isThere);
}

async function outcomeOf(
  { request }: StoredRequest,
  target: Target,
  scope: Scope,
  { cache, settings, signal }: BreakageOptions,
): Promise<Outcome | { readonly reason: Reason }> {
  const engine: Engine = { catalogs: { find: async () => target }, cache, settings };
  try {
    const { compiled } = await prepare(request, scope, engine, { signal });
    const { groups, metrics } = compiled.plan;
    const values = metrics.map(({ metric }) => metric.name);
    const visible = applyAccessPolicy(scope, target.model);
    return {
      columns: new Set([
        ...groups.map(fieldKey),
        ...values,
        ...values.flatMap((name) => COMPARED_PART_NAMES.map((part) => `${name}.${part}`)),
      ]),
      hasField(key) {
        const [dataset = '', field = ''] = key.split(/[.@]/);
        return visible.datasets.get(dataset)?.fields.has(field) ?? false;
      },
    };
  } catch (error) {
    if (error instanceof ValidationError || error instanceof NotFoundError)
      return { reason: { field: error.field, message: error.message } };
    throw error;
  }
}

/** Returns the roles that the rules of a model name. */
function rolesNamed({ datasets, metrics }: Model): readonly string[] {
  const rules: RoleRule[] = [...metrics.values()].map(({ roles }) => roles);
  for (const { fields } of datasets.values()) rules.push(...[...fields.values()].map(({ roles }) => roles));
  return rules.flatMap(({ allow = [], deny }) => [...allow, ...deny]);
}
