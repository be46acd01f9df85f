/** Examines the provider of the language model: its key, and whether its address answers. */
import type { Setup } from '../../installation/setup.ts';
import { API_KEY_VARIABLES } from '../../llm/index.ts';
import { type Finding, failed, messageOf, ok, warning } from './finding.ts';

/** Time that the provider has for any answer, in milliseconds. */
const PROBE_TIMEOUT_MS = 5_000;

const ADDRESSES = { anthropic: 'https://api.anthropic.com', openai: 'https://api.openai.com' } as const;

export async function examineLanguageModel({ config, environment }: Setup): Promise<Finding> {
  const provider = config['service.ai.ask.provider'];
  if (provider === '') return ok('language model', 'Switched off: questions in words are not offered.');
  const endpoint = config['service.ai.ask.endpoint'];
  const variable = API_KEY_VARIABLES[provider];
  if (endpoint === '' && !environment[variable])
    return failed(
      'language model',
      `${provider} needs a key.`,
      `Put the provider’s API key into the variable ${variable}.`,
    );
  const address = endpoint === '' ? ADDRESSES[provider] : endpoint;
  try {
    // Any answer will do: without a request of its own, nothing is spent.
    await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return ok('language model', `${provider} at ${new URL(address).host}`);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return warning(
      'language model',
      `${new URL(address).host} does not answer: ${messageOf(cause)}.`,
      'Check service.ai.ask.endpoint, and that this machine may reach it.',
    );
  }
}
