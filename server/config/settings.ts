import { z } from 'zod';
import { DEFAULT_MAX_SESSIONS } from '../identity/limits.ts';
import { BINARY_MEGABYTE, JOB_LIMITS } from '../jobs/limits.ts';
import { LOG_FORMATS, LOG_LEVELS } from '../log/destination.ts';
import { CONNECTION_SETTINGS } from './connection-settings.ts';
import { dollars, rate, type Setting, setting, whole, yesOrNo } from './define-setting.ts';
import { EMBED_SETTINGS } from './embed-settings.ts';
import { LINK_SETTINGS } from './link-settings.ts';
import { LLM_PROVIDERS } from './llm-providers.ts';
import { OIDC_SETTINGS } from './oidc-settings.ts';
import { UPLOAD_SETTINGS } from './upload-settings.ts';

/** Every setting of the product, in the order in which its documentation lists them. */
export const SETTINGS = {
  'service.http.host': setting({
    schema: z.string().min(1),
    default: '127.0.0.1',
    description: 'Address to listen on. Beyond loopback, a weak administrator password stops the start.',
  }),
  'service.http.port': setting({ schema: whole(0, 65_535), default: 8080, description: 'Port; 0 selects a free one.' }),
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
      'Path below which everything is served, such as `/analytics`: pages, scripts, the API, cookies. A proxy in front forwards it unchanged. `/healthz`, `/readyz` and `/metrics` are also answered without it.',
  }),
  'service.http.trustProxy': setting({
    schema: yesOrNo,
    default: false,
    description: 'Use X-Forwarded-For and X-Forwarded-Proto of one proxy in front.',
  }),
  'service.http.allowedHosts': setting({
    schema: z.string().max(4_000),
    default: '',
    description:
      'Host names that MCP clients may use for this server, separated by commas. Default: the names of loopback when the server listens there and no proxy is in front, else any.',
  }),
  'service.http.publicUrl': setting({
    schema: z.string().regex(/^https?:\/\/[^\s?#]+$/, 'must begin with http:// or https:// and have no query'),
    default: '',
    description:
      'Address of this server for browsers and agents, such as `https://analytics.example.com`, followed by `service.http.basePath`; needed for single sign-on, and for agents that sign in here.',
  }),
  'service.http.maxBodyBytes': setting({
    schema: whole(1_024, 1_073_741_824),
    default: 2_097_152,
    description: 'Largest request body in bytes; a larger one is answered 413.',
  }),
  'service.http.maxHeaderBytes': setting({
    schema: whole(8_192, 1_048_576),
    default: 32_768,
    description: 'Maximum bytes of a request line and headers together; more are answered 431.',
  }),
  'service.http.stopSeconds': setting({
    schema: whole(0, 3_600),
    default: 10,
    description:
      'How long a stop waits for running requests and asynchronous queries. Queries that need longer continue on other nodes, or after the next start.',
  }),
  'service.log.level': setting({
    schema: z.enum(LOG_LEVELS),
    default: 'auto',
    description:
      'Lowest severity that is logged; `auto` is `warn` where the log is `text` on a terminal, `info` elsewhere.',
  }),
  'service.log.format': setting({
    schema: z.enum(LOG_FORMATS),
    default: 'auto',
    description:
      'Format of log entries: `json`, one line of JSON per entry; `text`, lines for people; `auto`, `text` where standard error is a terminal, `json` elsewhere.',
  }),
  'service.metrics.readers': setting({
    schema: z.enum(['loopback', 'token', 'administrator', 'nobody']),
    default: 'loopback',
    description:
      'Callers that may read `/metrics`: `loopback`, callers on this machine without a proxy; `token`, callers that send `Authorization: Bearer` with service.metrics.token; `administrator`, administrators of the default tenant; `nobody`.',
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
    description: 'Days that entries of the audit log are kept; 0 keeps them without end.',
  }),
  'service.telemetry.endpoint': setting({
    schema: z
      .string()
      .regex(/^https?:\/\/\S+$/, 'must begin with http:// or https://')
      .max(2_000),
    default: '',
    description:
      'Collector that receives traces by OTLP over HTTP, such as `http://localhost:4318`. Default: the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`; without both no traces are made.',
  }),
  'service.datasources.pollMilliseconds': setting({
    schema: whole(0, 60_000),
    default: 0,
    description:
      'Interval in which the files of datasources are checked. A network folder does not notify a node of another node’s changes, so use 1000 there. 0 relies on notifications.',
  }),
  'service.datasources.idleMinutes': setting({
    schema: whole(0, 525_600),
    default: 60,
    description:
      'Minutes without use after which the models and cubes of a tenant leave the memory. The next use loads them again. The first tenant’s always stay. 0 keeps all.',
  }),
  'service.state.url': setting({
    schema: z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'),
    default: '',
    description: 'PostgreSQL for the state; without it, SQLite in `<home>/data/state.sqlite`.',
  }),
  'service.state.poolSize': setting({
    schema: whole(2, 200),
    default: 10,
    description: 'Maximum number of connections of this node to PostgreSQL for the state.',
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
      'Maximum number of a user’s sessions in all browsers and scripts; one more ends the oldest. 0 sets no limit.',
  }),
  ...OIDC_SETTINGS,
  'service.agents.signIn': setting({
    schema: yesOrNo,
    default: true,
    description:
      'Let agents of people sign in at this server (OAuth), where no identity provider is configured. Beyond loopback, it needs `service.http.publicUrl` with https://.',
  }),
  ...EMBED_SETTINGS,
  'service.warehouse.poolSize': setting({
    schema: whole(1, 64),
    default: 4,
    description: 'Connections kept to each warehouse.',
  }),
  'service.warehouse.viewerComments': setting({
    schema: yesOrNo,
    default: false,
    description:
      'Name the viewer of an embed in a comment of each statement, `/* viewer: u-17 */`, for the logs of the warehouse. A kept answer has no new statement, so viewers with the same rows share the first one’s.',
  }),
  'service.jobs.maxRunning': setting({
    schema: whole(1, 256),
    default: JOB_LIMITS.running,
    description: 'Asynchronous queries that a node runs at a time; further queries wait.',
  }),
  'service.jobs.maxRunningPerUser': setting({
    schema: whole(1, 256),
    default: JOB_LIMITS.runningOfUser,
    description: 'Asynchronous queries of one user that a node runs at a time.',
  }),
  'service.jobs.maxInFlight': setting({
    schema: whole(1, 100_000),
    default: JOB_LIMITS.inFlight,
    description: 'Asynchronous queries that wait or run on all nodes together; one more is answered 429.',
  }),
  'service.jobs.maxInFlightPerTenant': setting({
    schema: whole(1, 100_000),
    default: JOB_LIMITS.inFlightOfTenant,
    description: 'Waiting and running asynchronous queries of one tenant on all nodes together.',
  }),
  'service.jobs.maxInFlightPerUser': setting({
    schema: whole(1, 10_000),
    default: JOB_LIMITS.inFlightOfUser,
    description: 'Waiting and running asynchronous queries of one user on all nodes together.',
  }),
  'service.jobs.maxResultMegabytes': setting({
    schema: whole(1, 512),
    default: JOB_LIMITS.resultSize / BINARY_MEGABYTE,
    description: 'Largest stored answer of an asynchronous query; a user has four of this size.',
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
      'Statements of one user that run at a time in one warehouse; further statements wait, and users take turns. 0 sets no limit.',
  }),
  'service.duckdb.threads': setting({
    schema: whole(0, 1_024),
    default: 0,
    description: 'Threads of one DuckDB database; 0 uses as many as the process has cores.',
  }),
  'service.duckdb.memoryMegabytes': setting({
    schema: whole(0, 16_777_216),
    default: 0,
    description:
      'Memory of one DuckDB database in megabytes; 0 uses half of the machine’s (or the container’s) memory. A statement that needs more fails.',
  }),
  'service.query.slowMilliseconds': setting({
    schema: whole(100, 3_600_000),
    default: 2_000,
    description:
      'Statements in warehouses that take at least this long are kept for a week, with their plans, for administrators.',
  }),
  'service.query.maxRows': setting({
    schema: whole(1, 100_000),
    default: 10_000,
    description: 'Rows of an answer to a request without a limit.',
  }),
  'service.query.maxStreamedRows': setting({
    schema: whole(1, 1_000_000_000),
    default: 1_000_000,
    description:
      'Rows of an answer that is sent while it comes (`POST /rest/service/api/ai/semantic/query/stream`), where its request asks for no fewer with `maxrows`.',
  }),
  'service.query.timeoutSeconds': setting({
    schema: whole(1, 86_400),
    default: 60,
    description: 'Time limit of one statement in a warehouse.',
  }),
  'service.cache.maxBytes': setting({
    schema: whole(0, 68_719_476_736),
    default: 134_217_728,
    description:
      'Memory for cached answers, in bytes. Finished answers of embeds and of our pages use at most half as much in addition.',
  }),
  'service.cache.ttlSeconds': setting({
    schema: whole(0, 86_400),
    default: 60,
    description: 'How long an answer is cached; 0 caches none.',
  }),
  'service.ai.semantic.samples.ttl.minutes': setting({
    schema: whole(0, 525_600),
    default: 5,
    description: 'How long sample values of a semantic schema are cached.',
  }),
  'ai.kAnonymity': setting({
    schema: whole(0, 1_000_000),
    default: 5,
    description: 'Cube surface: rows with a smaller count are masked; 0 turns masking off.',
    invalidFallsBack: true,
    environment: 'SERVICE_AI_KANONYMITY',
  }),
  'ai.kAnonymity.maskValue': setting({
    schema: z.string(),
    default: '',
    description: 'Cube surface: the value of masked cells, a number or a text; empty for null, shown as a dash.',
    invalidFallsBack: true,
    environment: 'SERVICE_AI_KANONYMITY_MASK',
  }),
  'service.ai.kAnonymity.k': setting({
    schema: whole(0, 1_000_000),
    default: 5,
    description: 'Semantic surface: rows with a smaller count are masked; 0 turns masking off.',
    invalidFallsBack: true,
  }),
  'service.ai.kAnonymity.mask': setting({
    schema: z.string(),
    default: '',
    description: 'Semantic surface: the value of masked cells; empty for null.',
    invalidFallsBack: true,
  }),
  'service.ai.kAnonymity.shadow': setting({
    schema: yesOrNo,
    default: false,
    description: 'Semantic surface: small groups are also masked in queries without a count.',
  }),
  'service.ai.ask.provider': setting({
    schema: z.enum(['', ...LLM_PROVIDERS]),
    default: '',
    description:
      'Provider for natural-language questions: `anthropic` (key in ANTHROPIC_API_KEY) or `openai` (OPENAI_API_KEY); without it questions are off.',
  }),
  'service.ai.ask.model': setting({
    schema: z.string().max(200),
    default: '',
    description: 'Model of the provider. Default: the provider’s default model.',
  }),
  'service.ai.ask.endpoint': setting({
    schema: z.string().regex(/^https?:\/\/\S+$/, 'must begin with http:// or https://'),
    default: '',
    description: 'Base address of a proxy or a local model with the provider’s protocol.',
  }),
  'service.ai.ask.timeoutSeconds': setting({
    schema: whole(1, 600),
    default: 60,
    description: 'Time limit of one call of the language model, retries included.',
  }),
  'service.ai.ask.dailyBudgetUsd': setting({
    schema: dollars,
    default: 10,
    description: 'US dollars that a tenant may spend on questions in a day (UTC); 0 sets no limit.',
  }),
  'service.ai.ask.maxSchemaTokens': setting({
    schema: whole(1_000, 200_000),
    default: 12_000,
    description:
      'Maximum description of a model or cube for the language model, in estimated tokens. A larger model is reduced to the parts that fit the question best.',
  }),
  'service.ai.ask.keptQuestions': setting({
    schema: whole(0, 100_000),
    default: 1_000,
    description:
      'Questions of a tenant that are kept for the owners of models: so many that were off topic, that got no query, and that were marked as wrongly answered. The ones that were asked last stay. 0 keeps none.',
  }),
  'service.ai.llm.egress': setting({
    schema: z.enum(['schema', 'aggregated']),
    default: 'schema',
    description:
      'Data that the language model may receive: `schema`, only names, labels, descriptions and synonyms; `aggregated`, also sample values and member names. It never receives results, personal data and credentials.',
  }),
  ...UPLOAD_SETTINGS,
  ...CONNECTION_SETTINGS,
  ...LINK_SETTINGS,
  'service.secrets.key': setting({
    isSecret: true,
    schema: z.string().regex(/^[A-Za-z0-9+/_-]{43}=?$/, 'must be 32 bytes in base64'),
    default: '',
    description:
      'Key that encrypts the passwords of saved connections: 32 bytes in base64, the same on all nodes. Without it, a key is created in `<home>/data/secrets.key`.',
  }),
  'service.ai.propose.provider': setting({
    schema: z.enum(['', 'rules']),
    default: '',
    description:
      'How models are proposed: `rules`, without a language model; otherwise with the language model of `service.ai.ask.provider`, or by rules where none is configured.',
  }),
  'service.ai.propose.monthlyBudgetUsd': setting({
    schema: dollars,
    default: 20,
    description: 'US dollars that a tenant may spend on proposals of models in a month (UTC); 0 sets no limit.',
  }),
  'service.ai.llm.price.inputUsd': setting({
    schema: dollars.optional(),
    default: undefined,
    description: 'US dollars for a million input tokens, to override the built-in list. Set the next one, too.',
  }),
  'service.ai.llm.price.outputUsd': setting({
    schema: dollars.optional(),
    default: undefined,
    description: 'US dollars for a million output tokens; 0 for a local model.',
  }),
  'service.billing.price.starter': setting({
    schema: z.string().max(200),
    default: '',
    description: 'Price of the tier `starter` at the payment processor; without it the tier cannot be bought.',
  }),
  'service.billing.price.team': setting({
    schema: z.string().max(200),
    default: '',
    description: 'Price of the tier `team` at the payment processor; without it the tier cannot be bought.',
  }),
  'service.billing.price.business': setting({
    schema: z.string().max(200),
    default: '',
    description: 'Price of the tier `business` at the payment processor; without it the tier cannot be bought.',
  }),
  'service.billing.price.enterprise': setting({
    schema: z.string().max(200),
    default: '',
    description: 'Price of the tier `enterprise` at the payment processor; without it the tier cannot be bought.',
  }),
  'service.rateLimit.starter': setting({
    schema: rate,
    default: '60/1000',
    description:
      'Calls of billing, and of inference by API keys, that a tenant of the tier `starter` may make in a minute and in an hour; 0 sets no limit.',
  }),
  'service.rateLimit.team': setting({
    schema: rate,
    default: '300/10000',
    description:
      'Calls of billing, and of inference by API keys, that a tenant of the tier `team` may make in a minute and in an hour; 0 sets no limit.',
  }),
  'service.rateLimit.business': setting({
    schema: rate,
    default: '1000/50000',
    description:
      'Calls of billing, and of inference by API keys, that a tenant of the tier `business` may make in a minute and in an hour; 0 sets no limit.',
  }),
  'service.rateLimit.enterprise': setting({
    schema: rate,
    default: '0/0',
    description:
      'Calls of billing, and of inference by API keys, that a tenant of the tier `enterprise` may make in a minute and in an hour; 0 sets no limit.',
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
