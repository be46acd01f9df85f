import { z } from 'zod';
import { DEFAULT_MAX_SESSIONS } from '../identity/limits.ts';
import { BINARY_MEGABYTE, JOB_LIMITS } from '../jobs/limits.ts';
import { LOG_FORMATS } from '../log/destination.ts';
import { CONNECTION_SETTINGS } from './connection-settings.ts';
import { dollars, rate, type Setting, setting, whole, yesOrNo } from './define-setting.ts';
import { LLM_PROVIDERS } from './llm-providers.ts';
import { OIDC_SETTINGS } from './oidc-settings.ts';
import { UPLOAD_SETTINGS } from './upload-settings.ts';

/** Every setting of the product, in the order in which its documentation lists them. */
export const SETTINGS = {
  'service.http.host': setting({
    schema: z.string().min(1),
    default: '127.0.0.1',
    description: 'Address to listen on. Beyond loopback the start is refused with a weak administrator password.',
  }),
  'service.http.port': setting({ schema: whole(0, 65_535), default: 8080, description: 'Port; 0 takes a free one.' }),
  'service.http.basePath': setting({
    schema: z
      .string()
      .max(200)
      .transform((text) => text.replace(/\/$/, ''))
      .pipe(
        z
          .string()
          .regex(
            /^((?!\/\.{1,2}(\/|$))\/[\w.~-]+)*$/,
            'must be a path such as /analytics, of letters, digits and . _ ~ -',
          ),
      ),
    default: '',
    description:
      'Path below which everything is served, such as `/analytics`: pages, scripts, the API, cookies. A proxy in front passes it on as it is. `/healthz`, `/readyz` and `/metrics` are also answered without it.',
  }),
  'service.http.trustProxy': setting({
    schema: yesOrNo,
    default: false,
    description: 'Believe X-Forwarded-For and X-Forwarded-Proto of one proxy in front.',
  }),
  'service.http.allowedHosts': setting({
    schema: z.string().max(4_000),
    default: '',
    description:
      'Host names, separated by commas, that MCP clients may call this server by. Without it: those of loopback when it listens there and no proxy is in front, else any.',
  }),
  'service.http.publicUrl': setting({
    schema: z.string().regex(/^https?:\/\/[^\s?#]+$/, 'must begin with http:// or https:// and have no query'),
    default: '',
    description:
      'Address by which browsers and agents find this server, such as `https://analytics.example.com`, with `service.http.basePath` behind it; needed for single sign-on.',
  }),
  'service.http.maxBodyBytes': setting({
    schema: whole(1_024, 1_073_741_824),
    default: 2_097_152,
    description: 'Largest request body in bytes; a larger one is answered 413.',
  }),
  'service.http.maxHeaderBytes': setting({
    schema: whole(8_192, 1_048_576),
    default: 32_768,
    description: 'Bytes of the request line and the headers of a request together; more are answered 431.',
  }),
  'service.http.stopSeconds': setting({
    schema: whole(0, 3_600),
    default: 10,
    description:
      'How long a stop waits for requests and asynchronous queries that are under way; queries that need longer are handed back to the other nodes, or to the next start.',
  }),
  'service.log.level': setting({
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    description: 'Least severity that is logged.',
  }),
  'service.log.format': setting({
    schema: z.enum(LOG_FORMATS),
    default: 'auto',
    description:
      'How entries of the log are written: `json`, one line of JSON an entry; `text`, lines for people; `auto`, `text` where standard error is a terminal, `json` elsewhere.',
  }),
  'service.metrics.readers': setting({
    schema: z.enum(['loopback', 'token', 'administrator', 'nobody']),
    default: 'loopback',
    description:
      'Who may read `/metrics`: `loopback`, callers on this machine that come through no proxy; `token`, who sends `Authorization: Bearer` with service.metrics.token; `administrator`, those of the default tenant; `nobody`.',
  }),
  'service.metrics.token': setting({
    isSecret: true,
    schema: z.string().regex(/^[\w.~+/-]{16,200}=*$/, 'must have at least 16 letters, digits and . _ ~ + / -'),
    default: '',
    description:
      'The token of monitoring, where service.metrics.readers is `token`: at least 16 letters, digits and `. _ ~ + / -`.',
  }),
  'service.audit.retentionDays': setting({
    schema: whole(0, 3_650),
    default: 90,
    description: 'Days that entries of the audit log are kept; 0 keeps them for good.',
  }),
  'service.telemetry.endpoint': setting({
    schema: z
      .string()
      .regex(/^https?:\/\/\S+$/, 'must begin with http:// or https://')
      .max(2_000),
    default: '',
    description:
      'Collector that traces are sent to by OTLP over HTTP, such as `http://localhost:4318`; without it the one of `OTEL_EXPORTER_OTLP_ENDPOINT`, and without both no traces are made.',
  }),
  'service.datasources.pollMilliseconds': setting({
    schema: whole(0, 60_000),
    default: 0,
    description:
      'Time between two looks at the files of datasources, where the home is a network folder, which tells no node of what another has written: 1000 there. 0 waits to be told.',
  }),
  'service.state.url': setting({
    schema: z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'),
    default: '',
    description: 'PostgreSQL for the state; without it, SQLite in `<home>/data/state.sqlite`.',
  }),
  'service.state.poolSize': setting({
    schema: whole(2, 200),
    default: 10,
    description: 'Connections of this node to PostgreSQL for the state at most.',
  }),
  'service.login.maxFailures': setting({
    schema: whole(0, 1_000),
    default: 5,
    description: 'Failed logins per user and address in 15 minutes before 429; 0 disables the limit.',
  }),
  'service.login.maxSessions': setting({
    schema: whole(0, 10_000),
    default: DEFAULT_MAX_SESSIONS,
    description:
      'Sessions that a user may have at a time, counted over all browsers and scripts that have signed in; one more ends the oldest. 0 sets no bound.',
  }),
  ...OIDC_SETTINGS,
  'service.warehouse.poolSize': setting({
    schema: whole(1, 64),
    default: 4,
    description: 'Connections kept to each warehouse.',
  }),
  'service.jobs.maxRunning': setting({
    schema: whole(1, 256),
    default: JOB_LIMITS.running,
    description: 'Asynchronous queries that a node runs at a time; the others wait.',
  }),
  'service.jobs.maxRunningPerUser': setting({
    schema: whole(1, 256),
    default: JOB_LIMITS.runningOfUser,
    description: 'Of these, those of one user.',
  }),
  'service.jobs.maxInFlight': setting({
    schema: whole(1, 100_000),
    default: JOB_LIMITS.inFlight,
    description: 'Asynchronous queries that wait or run on all nodes together; one more is answered 429.',
  }),
  'service.jobs.maxInFlightPerTenant': setting({
    schema: whole(1, 100_000),
    default: JOB_LIMITS.inFlightOfTenant,
    description: 'Of these, those of one tenant.',
  }),
  'service.jobs.maxInFlightPerUser': setting({
    schema: whole(1, 10_000),
    default: JOB_LIMITS.inFlightOfUser,
    description: 'Of these, those of one user.',
  }),
  'service.jobs.maxResultMegabytes': setting({
    schema: whole(1, 512),
    default: JOB_LIMITS.resultSize / BINARY_MEGABYTE,
    description: 'Largest answer that is kept for an asynchronous query; four of this size are kept for a user.',
  }),
  'service.jobs.keepMinutes': setting({
    schema: whole(1, 10_080),
    default: JOB_LIMITS.keepMs / 60_000,
    description: 'How long the answer of an asynchronous query can be fetched.',
  }),
  'service.query.maxRunningPerUser': setting({
    schema: whole(0, 64),
    default: 2,
    description:
      'Statements of one user that run at a time in one warehouse; the others of that user wait, and users take turns. 0 sets no bound.',
  }),
  'service.duckdb.threads': setting({
    schema: whole(0, 1_024),
    default: 0,
    description: 'Threads of one DuckDB database; 0 takes as many as the process may use cores.',
  }),
  'service.duckdb.memoryMegabytes': setting({
    schema: whole(0, 16_777_216),
    default: 0,
    description:
      'Memory of one DuckDB database in megabytes; 0 takes half of what the machine (or the container) has. A statement that needs more fails.',
  }),
  'service.query.maxRows': setting({
    schema: whole(1, 100_000),
    default: 10_000,
    description: 'Rows of an answer whose request gives no limit.',
  }),
  'service.query.timeoutSeconds': setting({
    schema: whole(1, 86_400),
    default: 60,
    description: 'Time limit of one statement in a warehouse.',
  }),
  'service.cache.maxBytes': setting({
    schema: whole(0, 68_719_476_736),
    default: 134_217_728,
    description: 'Memory for kept answers, in bytes.',
  }),
  'service.cache.ttlSeconds': setting({
    schema: whole(0, 86_400),
    default: 60,
    description: 'How long an answer may be served again; 0 keeps none.',
  }),
  'service.ai.semantic.samples.ttl.minutes': setting({
    schema: whole(0, 525_600),
    default: 5,
    description: 'How long sample values of a semantic schema are kept.',
  }),
  'ai.kAnonymity': setting({
    schema: whole(0, 1_000_000),
    default: 5,
    description: 'Cube surface: rows whose count is below this are masked; 0 disables.',
    invalidFallsBack: true,
    environment: 'SERVICE_AI_KANONYMITY',
  }),
  'ai.kAnonymity.maskValue': setting({
    schema: z.string(),
    default: '',
    description:
      'Cube surface: what stands in masked cells, a number or any token; nothing means null, shown as a dash.',
    invalidFallsBack: true,
    environment: 'SERVICE_AI_KANONYMITY_MASK',
  }),
  'service.ai.kAnonymity.k': setting({
    schema: whole(0, 1_000_000),
    default: 5,
    description: 'Semantic surface: rows whose count is below this are masked; 0 disables.',
    invalidFallsBack: true,
  }),
  'service.ai.kAnonymity.mask': setting({
    schema: z.string(),
    default: '',
    description: 'Semantic surface: what stands in masked cells; nothing means null.',
    invalidFallsBack: true,
  }),
  'service.ai.kAnonymity.shadow': setting({
    schema: yesOrNo,
    default: false,
    description: 'Semantic surface: groups of few rows are masked also where a query asks for no count.',
  }),
  'service.ai.ask.provider': setting({
    schema: z.enum(['', ...LLM_PROVIDERS]),
    default: '',
    description:
      'Who answers natural-language questions: `anthropic` (key in ANTHROPIC_API_KEY) or `openai` (OPENAI_API_KEY); without it asking is off.',
  }),
  'service.ai.ask.model': setting({
    schema: z.string().max(200),
    default: '',
    description: 'The model of the provider; without it, its default model.',
  }),
  'service.ai.ask.endpoint': setting({
    schema: z.string().regex(/^https?:\/\/\S+$/, 'must begin with http:// or https://'),
    default: '',
    description: 'Base address of a proxy or a local model that speaks the protocol of the provider.',
  }),
  'service.ai.ask.timeoutSeconds': setting({
    schema: whole(1, 600),
    default: 60,
    description: 'Time limit of one call of the language model, retries included.',
  }),
  'service.ai.ask.dailyBudgetUsd': setting({
    schema: dollars,
    default: 10,
    description: 'US dollars a tenant may spend on questions in a day (UTC); 0 sets no ceiling.',
  }),
  'service.ai.ask.maxSchemaTokens': setting({
    schema: whole(1_000, 200_000),
    default: 12_000,
    description:
      'How much of a model or cube is described to the language model, in tokens (estimated); of a larger one, what fits the question best.',
  }),
  'service.ai.llm.egress': setting({
    schema: z.enum(['schema', 'aggregated']),
    default: 'schema',
    description:
      'What of the data may leave for the language model: `schema` names, labels, descriptions and synonyms only; `aggregated` sample values and member names, too. Results, personal data and credentials never do.',
  }),
  ...UPLOAD_SETTINGS,
  ...CONNECTION_SETTINGS,
  'service.secrets.key': setting({
    isSecret: true,
    schema: z.string().regex(/^[A-Za-z0-9+/_-]{43}=?$/, 'must be 32 bytes in base64'),
    default: '',
    description:
      'Key that encrypts the passwords of saved connections: 32 bytes in base64, the same on all nodes. Without it, one is made in `<home>/data/secrets.key`.',
  }),
  'service.ai.propose.provider': setting({
    schema: z.enum(['', 'rules']),
    default: '',
    description:
      'Who proposes models: `rules` without a language model; else the one of `service.ai.ask.provider`, or rules where none is configured.',
  }),
  'service.ai.propose.monthlyBudgetUsd': setting({
    schema: dollars,
    default: 20,
    description: 'US dollars a tenant may spend on proposals of models in a month (UTC); 0 sets no ceiling.',
  }),
  'service.ai.llm.price.inputUsd': setting({
    schema: dollars.optional(),
    default: undefined,
    description: 'US dollars for a million input tokens, where the built-in list does not hold; with the next one.',
  }),
  'service.ai.llm.price.outputUsd': setting({
    schema: dollars.optional(),
    default: undefined,
    description: 'US dollars for a million output tokens; 0 for a local model.',
  }),
  'service.billing.price.starter': setting({
    schema: z.string().max(200),
    default: '',
    description: 'Price of the tier `starter` at the payment processor; without one it cannot be bought.',
  }),
  'service.billing.price.team': setting({
    schema: z.string().max(200),
    default: '',
    description: 'Price of the tier `team` at the payment processor; without one it cannot be bought.',
  }),
  'service.billing.price.business': setting({
    schema: z.string().max(200),
    default: '',
    description: 'Price of the tier `business` at the payment processor; without one it cannot be bought.',
  }),
  'service.billing.price.enterprise': setting({
    schema: z.string().max(200),
    default: '',
    description: 'Price of the tier `enterprise` at the payment processor; without one it cannot be bought.',
  }),
  'service.rateLimit.starter': setting({
    schema: rate,
    default: '60/1000',
    description:
      'Calls of billing and inference that a tenant of the tier `starter` may make in a minute and in an hour; 0 sets no bound.',
  }),
  'service.rateLimit.team': setting({
    schema: rate,
    default: '300/10000',
    description:
      'Calls of billing and inference that a tenant of the tier `team` may make in a minute and in an hour; 0 sets no bound.',
  }),
  'service.rateLimit.business': setting({
    schema: rate,
    default: '1000/50000',
    description:
      'Calls of billing and inference that a tenant of the tier `business` may make in a minute and in an hour; 0 sets no bound.',
  }),
  'service.rateLimit.enterprise': setting({
    schema: rate,
    default: '0/0',
    description:
      'Calls of billing and inference that a tenant of the tier `enterprise` may make in a minute and in an hour; 0 sets no bound.',
  }),
  'service.billing.trialDays': setting({
    schema: whole(0, 730),
    default: 0,
    description: 'Days that a new subscription is free of charge.',
  }),
  'service.billing.timeoutSeconds': setting({
    schema: whole(1, 80),
    default: 20,
    description: 'Time limit of one call of the payment processor.',
  }),
  'service.billing.endpoint': setting({
    schema: z.string().regex(/^https?:\/\/[^/\s]+\/?$/, 'must be http:// or https:// and a host'),
    default: '',
    description:
      "Where the payment processor is, for tests against what speaks its protocol; without it, Stripe's own.",
  }),
} as const satisfies Record<string, Setting<z.ZodType>>;

export type SettingName = keyof typeof SETTINGS;

/** All settings with their values, by property name. */
export type Config = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> };

/**
 * Names a setting's environment variable: `service.query.maxRows` -> `SERVICE_QUERY_MAXROWS`, unless the setting
 * names its own variable.
 */
export function environmentName(property: SettingName): string {
  const setting: Setting<z.ZodType> = SETTINGS[property];
  return setting.environment ?? property.toUpperCase().replaceAll('.', '_');
}
