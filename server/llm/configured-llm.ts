import type { Clock } from '../../router/capabilities/clock.ts';
import type { Llm } from '../../router/capabilities/llm.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { Observer } from '../../router/capabilities/observer.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { Config } from '../config/settings.ts';
import { API_KEY_VARIABLES, openLlm } from './index.ts';

/** A placeholder: local models need no key, but the SDKs require one. */
const NO_KEY = 'none';

/** Opens the language model of the settings; `undefined` where none is configured, or its API key is missing. */
export function configuredLlm({
  config,
  environment,
  state,
  clock,
  log,
  observer,
}: {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer?: Observer | undefined;
}): Llm | undefined {
  const provider = config['service.ai.ask.provider'];
  if (provider === '') return undefined;
  const endpoint = config['service.ai.ask.endpoint'] || undefined;
  const variable = API_KEY_VARIABLES[provider];
  const apiKey = environment[variable] || (endpoint === undefined ? undefined : NO_KEY);
  if (apiKey === undefined) {
    log.warn({ provider }, `questions cannot be asked: put the provider's API key into the variable ${variable}`);
    return undefined;
  }
  const input = config['service.ai.llm.price.inputUsd'];
  const output = config['service.ai.llm.price.outputUsd'];
  return openLlm({
    provider,
    apiKey,
    endpoint,
    model: config['service.ai.ask.model'] || undefined,
    price: input === undefined || output === undefined ? undefined : { input, output },
    ceilings: { ask: config['service.ai.ask.dailyBudgetUsd'], propose: config['service.ai.propose.monthlyBudgetUsd'] },
    timeoutMs: config['service.ai.ask.timeoutSeconds'] * 1_000,
    state,
    clock,
    log,
    observer,
  });
}
