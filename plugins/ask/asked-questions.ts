/** Keeps the questions that were refused, or whose answers were marked as wrong, until an owner of the model looks at them. */
import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { Migrations, State } from '../../router/capabilities/state.ts';
import { jsonOrUndefined } from '../../router/json.ts';
import { isRecord } from '../../router/record.ts';
import { MAX_REQUEST_LENGTH } from '../query-surface/index.ts';
import { wordsOf } from './certified.ts';
import { MAX_REASON_LENGTH } from './limits.ts';

/** The reasons for which a question is kept. */
export const KEPT_KINDS = {
  'off-topic': 'the language model refused it as not about this data',
  unanswered: 'the language model wrote no correct query',
  wrong: 'a caller marked its answer as wrong',
} as const;
export type KeptKind = keyof typeof KEPT_KINDS;

interface AskedQuestionTables {
  readonly asked_questions: {
    readonly id: string;
    readonly tenant_id: string;
    readonly surface: string;
    /** The name of the model or cube, such as `demo/shop`. */
    readonly reference: string;
    readonly kind: string;
    /** The hash of the words of the question, so that one that is asked again is counted. */
    readonly wording: string;
    readonly question: string;
    /** JSON: the members of a request that name the model or cube. */
    readonly target: string;
    /** JSON: the last query that was written; null where there is none. */
    readonly request: string | null;
    readonly reason: string;
    readonly times: number;
    readonly first_at: number;
    readonly last_at: number;
  };
}

export const askedQuestionMigrations: Migrations = {
  '0001_asked_questions': {
    async up(database) {
      await database.schema
        .createTable('asked_questions')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('surface', 'text', (column) => column.notNull())
        .addColumn('reference', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('wording', 'text', (column) => column.notNull())
        .addColumn('question', 'text', (column) => column.notNull())
        .addColumn('target', 'text', (column) => column.notNull())
        .addColumn('request', 'text')
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('times', 'integer', (column) => column.notNull())
        .addColumn('first_at', 'bigint', (column) => column.notNull())
        .addColumn('last_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('asked_questions_wording', ['tenant_id', 'surface', 'reference', 'kind', 'wording'])
        .execute();
    },
  },
};

export interface NewQuestion {
  readonly surface: string;
  readonly reference: string;
  readonly target: Readonly<Record<string, unknown>>;
  readonly kind: KeptKind;
  readonly question: string;
  /** The query that was answered, or the last one that was written. */
  readonly request: object | undefined;
  readonly reason: string;
}

export interface KeptQuestion extends NewQuestion {
  readonly id: string;
  /** How often it was asked. */
  readonly times: number;
  readonly firstAtMillis: number;
  readonly lastAtMillis: number;
}

export interface AskedQuestionsOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
  /** Questions of a tenant and a kind at most, so that marks of visitors replace no refusals. 0 keeps none. */
  readonly maxKept: number;
}

/** The kept questions of all tenants. They contain no name of a user: the audit log has the callers. */
export class AskedQuestions {
  readonly #options: AskedQuestionsOptions;

  constructor(options: AskedQuestionsOptions) {
    this.#options = options;
  }

  /** Keeps a question. A failure is logged: the answer to the caller does not depend on it. @returns whether it is kept */
  async keep(tenant: TenantId, question: NewQuestion): Promise<boolean> {
    const { maxKept, log } = this.#options;
    if (maxKept === 0) return false;
    try {
      await this.#add(tenant, question);
      await this.#drop(tenant, question.kind, maxKept);
      return true;
    } catch (error) {
      log.warn({ err: error }, 'a question could not be kept for the owner of its model');
      return false;
    }
  }

  async #add(tenant: TenantId, { surface, reference, target, kind, question, request, reason }: NewQuestion) {
    const now = this.#options.clock();
    const written = request === undefined ? null : JSON.stringify(request);
    const last = {
      question,
      target: JSON.stringify(target),
      request: written !== null && written.length > MAX_REQUEST_LENGTH ? null : written,
      reason: reason.slice(0, MAX_REASON_LENGTH),
      last_at: now,
    };
    await this.#tables()
      .insertInto('asked_questions')
      .values({
        id: randomUUID(),
        tenant_id: tenant,
        surface,
        reference,
        kind,
        wording: wordingOf(question),
        ...last,
        times: 1,
        first_at: now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'surface', 'reference', 'kind', 'wording'])
          .doUpdateSet(({ eb, ref }) => ({ ...last, times: eb(ref('asked_questions.times'), '+', 1) })),
      )
      .execute();
  }

  /** Deletes the questions of a kind beyond the limit, the ones that were asked longest ago first. */
  async #drop(tenant: TenantId, kind: KeptKind, maxKept: number): Promise<void> {
    const beyond = await this.#tables()
      .selectFrom('asked_questions')
      .select('id')
      .where('tenant_id', '=', tenant)
      .where('kind', '=', kind)
      .orderBy('last_at', 'desc')
      .orderBy('id')
      .offset(maxKept)
      .limit(100)
      .execute();
    if (beyond.length === 0) return;
    await this.#tables()
      .deleteFrom('asked_questions')
      .where('tenant_id', '=', tenant)
      .where(
        'id',
        'in',
        beyond.map(({ id }) => id),
      )
      .execute();
  }

  /** Lists the questions of a tenant, the ones that were asked most often first. */
  async list(tenant: TenantId, reference?: string): Promise<readonly KeptQuestion[]> {
    const rows = await this.#tables()
      .selectFrom('asked_questions')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .$if(reference !== undefined, (query) => query.where('reference', '=', reference ?? ''))
      .orderBy('times', 'desc')
      .orderBy('last_at', 'desc')
      .orderBy('id')
      .execute();
    return rows.map(questionOf);
  }

  async find(tenant: TenantId, id: string): Promise<KeptQuestion | undefined> {
    const row = await this.#tables()
      .selectFrom('asked_questions')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && questionOf(row);
  }

  /** Removes a question, and what else is kept of its wording about the same model. */
  async remove(tenant: TenantId, { surface, reference, question }: KeptQuestion): Promise<void> {
    await this.#tables()
      .deleteFrom('asked_questions')
      .where('tenant_id', '=', tenant)
      .where('surface', '=', surface)
      .where('reference', '=', reference)
      .where('wording', '=', wordingOf(question))
      .execute();
  }

  #tables() {
    return this.#options.state.tables<AskedQuestionTables>();
  }
}

function wordingOf(question: string): string {
  return createHash('sha256')
    .update(wordsOf(question).join(' ') || question)
    .digest('base64url');
}

type Row = AskedQuestionTables['asked_questions'];

function questionOf({ kind, target, request, times, first_at, last_at, ...row }: Row): KeptQuestion {
  const written = request === null ? undefined : jsonOrUndefined(request);
  const named = jsonOrUndefined(target);
  return {
    id: row.id,
    surface: row.surface,
    reference: row.reference,
    question: row.question,
    reason: row.reason,
    kind: isKeptKind(kind) ? kind : 'unanswered',
    target: isRecord(named) ? named : {},
    request: isRecord(written) ? written : undefined,
    times,
    // PostgreSQL answers large integers as text.
    firstAtMillis: Number(first_at),
    lastAtMillis: Number(last_at),
  };
}

function isKeptKind(kind: string): kind is KeptKind {
  return Object.hasOwn(KEPT_KINDS, kind);
}
