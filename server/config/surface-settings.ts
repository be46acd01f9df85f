import type { Config } from './settings.ts';

/** What of the configuration the semantic surface goes by. */
export function semanticSettings(config: Config) {
  return {
    maxRows: config['service.query.maxRows'],
    cacheTtlMs: config['service.cache.ttlSeconds'] * 1_000,
    samplesTtlMs: config['service.ai.semantic.samples.ttl.minutes'] * 60_000,
    kAnonymity: {
      threshold: config['service.ai.kAnonymity.k'],
      mask: maskOf(config['service.ai.kAnonymity.mask']),
      shadow: config['service.ai.kAnonymity.shadow'],
    },
  };
}

/** What of the configuration the cube surface goes by. */
export function cubeSettings(config: Config) {
  return {
    ...semanticSettings(config),
    timeoutMs: config['service.query.timeoutSeconds'] * 1_000,
    kAnonymity: { threshold: config['ai.kAnonymity'], mask: maskOf(config['ai.kAnonymity.maskValue']) },
  };
}

/** What of the configuration questions in natural language go by. */
export function askSettings(config: Config) {
  return {
    maxSchemaTokens: config['service.ai.ask.maxSchemaTokens'],
    sharesValues: config['service.ai.llm.egress'] === 'aggregated',
  };
}

/** How many calls a tenant of each tier may make. */
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

/** A mask of digits is a number in the answers, any other text is text, nothing is null. */
function maskOf(text: string): string | number | null {
  if (text === '' || text === 'null') return null;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
