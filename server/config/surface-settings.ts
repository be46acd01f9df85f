import type { Config } from './settings.ts';

/** Reads the settings of the semantic surface from the configuration. */
export function semanticSettings(config: Config) {
  return {
    maxRows: config['service.query.maxRows'],
    maxStreamedRows: config['service.query.maxStreamedRows'],
    cacheTtlMs: config['service.cache.ttlSeconds'] * 1_000,
    samplesTtlMs: config['service.ai.semantic.samples.ttl.minutes'] * 60_000,
    kAnonymity: {
      threshold: config['service.ai.kAnonymity.k'],
      mask: maskOf(config['service.ai.kAnonymity.mask']),
      shadow: config['service.ai.kAnonymity.shadow'],
    },
  };
}

/** Reads the settings of the cube surface from the configuration. */
export function cubeSettings(config: Config) {
  return {
    ...semanticSettings(config),
    timeoutMs: config['service.query.timeoutSeconds'] * 1_000,
    kAnonymity: { threshold: config['ai.kAnonymity'], mask: maskOf(config['ai.kAnonymity.maskValue']) },
  };
}

/** Reads the settings of questions in natural language from the configuration. */
export function askSettings(config: Config) {
  return {
    maxSchemaTokens: config['service.ai.ask.maxSchemaTokens'],
    sharesValues: config['service.ai.llm.egress'] === 'aggregated',
  };
}

/** Reads the limits of calls for each tier. */
export function rateSettings(config: Config) {
  const rateOf = (text: string) => {
    const [perMinute = 0, perHour = 0] = text.split('/').map(Number);
    return { perMinute, perHour };
  };
  return {
    starter: rateOf(config['service.rateLimit.starter']),
    team: rateOf(config['service.rateLimit.team']),
    business: rateOf(config['service.rateLimit.business']),
    enterprise: rateOf(config['service.rateLimit.enterprise']),
  };
}

/** Reads a mask: digits are a number in answers, other text is text; an empty text and `null` are null. */
function maskOf(text: string): string | number | null {
  if (text === '' || text === 'null') return null;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
