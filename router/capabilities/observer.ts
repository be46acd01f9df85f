/** Observes the process: metrics, traces and the audit log. Observing changes nothing. */
import type { Awaitable } from '../steps.ts';
import type { Caller, Scope, TenantId } from './identity.ts';
import type { LlmPurpose } from './llm.ts';

/** An operation that a caller runs, on any surface. */
export interface OperationActivity {
  readonly kind: 'operation';
  /** Its path in the router: `semantic.query`. */
  readonly operation: string;
  readonly access: string;
  /** True for an operation that is declared to change something. */
  readonly writes: boolean;
  readonly caller: Caller;
  /** The user of the computed answer, once known: the owner of a shared document, not its reader. */
  readonly owner?: Scope | undefined;
  readonly address: string;
  readonly requestId: string;
  /** Returns the input as the caller sent it. */
  readonly input: () => Awaitable<unknown>;
}

/** A request that shows credentials in its header. */
export interface AuthenticationActivity {
  readonly kind: 'authentication';
  /** `bearer`, `basic` or another scheme of the header. */
  readonly scheme: 'bearer' | 'basic' | 'other';
  readonly address: string;
  readonly requestId: string;
}

/** A statement in a warehouse. */
export interface StatementActivity {
  readonly kind: 'statement';
  /** Such as `postgresql`. */
  readonly engine: string;
  /** The warehouse's address, without user and password. */
  readonly warehouse: string;
}

/** A call of a language model. */
export interface LlmActivity {
  readonly kind: 'llm';
  readonly provider: string;
  readonly model: string;
  readonly tenant: TenantId;
  readonly purpose: LlmPurpose;
}

export type Activity = OperationActivity | AuthenticationActivity | StatementActivity | LlmActivity;

export interface Observer {
  /** Runs `work` and observes its start and its end. Never changes its result. */
  around<Result>(activity: Activity, work: () => Promise<Result>): Promise<Result>;
  /** Observes an operation that has ended well: one whose answer was given again. */
  ended(activity: OperationActivity, result: unknown, durationMs: number): void;
}
