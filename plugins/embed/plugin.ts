import type { AskSource } from '../../router/ask-source.ts';
import type { AnswerFiles } from '../../router/capabilities/answer-files.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { EmbedSignatures } from '../../router/capabilities/embed-signatures.ts';
import type { Accounts } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { QuerySource } from '../../router/capabilities/query-source.ts';
import type { Repository } from '../../router/capabilities/repository.ts';
import type { State } from '../../router/capabilities/state.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import type { AskDependencies } from '../ask/index.ts';
import { answerOperations } from './answer-operations.ts';
import { askBoxOperations } from './ask-box-operations.ts';
import { filterOperations } from './filter-operations.ts';
import { PublicGrants } from './grants.ts';
import { KeptAnswers } from './kept-answers.ts';
import { MAX_TOKENS_OF_USER, managementOperations } from './management-operations.ts';
import { embedMigrations } from './migrations.ts';
import { type Door, embedDoor, sessionDoor } from './read-access.ts';
import { readOperations } from './read-operations.ts';
import { rowsOperations } from './rows-operations.ts';
import { SignedTokens } from './signed-tokens.ts';
import type { TenantNames } from './tenant-path.ts';
import { EmbedTokens } from './tokens.ts';

export interface ViewingOptions {
  readonly repository: Repository;
  /** The query surfaces that saved queries may name. */
  readonly sources: readonly QuerySource[];
  /** The surfaces that an ask box may ask, and with what. */
  readonly askSources: readonly AskSource[];
  readonly asking: AskDependencies;
  readonly log: Log;
  /** Memory for finished answers, in bytes; without it, none is kept. */
  readonly answerBytes?: number | undefined;
  /** Writes answers as files. */
  readonly files: AnswerFiles;
}

export interface EmbedOptions extends ViewingOptions {
  readonly state: State;
  readonly accounts: Accounts;
  readonly tenants: TenantNames;
  readonly clock: Clock;
  /** Verifies the tokens that hosts sign; without it, none is accepted. */
  readonly signatures?: EmbedSignatures | undefined;
  readonly settings?: {
    /** Active embed tokens a user may have; 200 without it. */
    readonly tokensPerUser?: number;
  };
}

/** Makes the plugin of embedding: tokens and public grants, and the reads of the embedded element. */
export function embed(options: EmbedOptions) {
  const { state, repository, accounts, tenants, clock, log, settings } = options;
  const tokens = new EmbedTokens(state, clock);
  const grants = new PublicGrants(state, clock);
  const signed = new SignedTokens({ signatures: options.signatures, accounts, state, clock });
  const tokensPerUser = settings?.tokensPerUser ?? MAX_TOKENS_OF_USER;
  return plugin({
    name: 'embed',
    title: 'Embedding',
    router: operations({
      ...managementOperations({ tokens, grants, signed, repository, accounts, tenants, tokensPerUser }),
      ...reads(options, embedDoor({ tokens, grants, signed, accounts, tenants, log })),
    }),
    errorFormat: standardErrorFormat,
    migrations: embedMigrations,
  });
}

/** Makes the plugin of our own pages: the same reads, for signed-in users without a token, and answers of unsaved queries. */
export function viewing(options: ViewingOptions) {
  return plugin({
    name: 'view',
    title: 'Viewing',
    router: operations({ ...reads(options, sessionDoor(options.log)), ...answerOperations(options.sources) }),
    errorFormat: standardErrorFormat,
  });
}

function reads(options: ViewingOptions, door: Door) {
  const answers = new KeptAnswers(options.answerBytes ?? 0);
  const dependencies = { ...options, door, answers };
  return {
    ...readOperations(dependencies),
    ...filterOperations(dependencies),
    ...rowsOperations(dependencies),
    ...askBoxOperations(dependencies),
  };
}
