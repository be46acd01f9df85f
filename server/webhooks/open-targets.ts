/** Posts deliveries to the targets of webhooks: to no private network that is not named, without redirects. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { WebhookTargets } from '../../router/capabilities/webhooks.ts';
import { ValidationError } from '../../router/errors.ts';
import { connectionFailure } from '../links/connection-failure.ts';
import type { LinkOptions } from '../links/open-links.ts';
import { httpRequest } from '../warehouse/http-request.ts';
import { InvalidAddressError } from '../warehouse/jdbc-url.ts';
import { NetworkGuard } from '../warehouse/network-guard.ts';

export type TargetOptions = Pick<LinkOptions, 'privateHosts' | 'denyHosts' | 'ownPort' | 'resolve'>;

const PRIVATE =
  'The address leads to a private network or to this server. Only hosts in service.links.privateHosts may do so.';

export function openTargets({ privateHosts, denyHosts, ownPort, resolve }: TargetOptions): WebhookTargets {
  // Users name the targets: private networks are refused on every machine, not only in hosted mode.
  const common = { denyHosts, ownPort, isHosted: true, ...(resolve === undefined ? {} : { resolve }) };
  const network = new NetworkGuard({ ...common, allowHosts: privateHosts });
  const outside = new NetworkGuard({ ...common, allowHosts: [] });

  /** Returns why an address is refused; `undefined` for a good one. */
  async function refusalOf(url: URL | null): Promise<string | undefined> {
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      return 'Write an address that begins with https://.';
    if (url.username !== '' || url.password !== '') return 'Write the address without a user name and a password.';
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    try {
      if ((await network.addressOf(url.hostname, port)) === undefined)
        return `There is no host ${url.hostname}. Check the address.`;
    } catch (error) {
      if (error instanceof InvalidAddressError) return PRIVATE;
      throw error;
    }
    if (url.protocol === 'https:') return undefined;
    const isInside = await outside.addressOf(url.hostname, port).then(
      () => false,
      () => true,
    );
    return isInside ? undefined : 'Events leave the own network by https:// only.';
  }

  return {
    async check(url) {
      const refusal = await refusalOf(URL.parse(url));
      if (refusal !== undefined) throw ValidationError.at(['url'], refusal);
    },
    async post(text, headers, body, signal) {
      const url = URL.parse(text);
      const refusal = await refusalOf(url);
      if (refusal !== undefined || url === null) return { reason: refusal ?? 'The address is none.' };
      const agent = url.protocol === 'https:' ? new TlsAgent() : new HttpAgent();
      try {
        const length = String(Buffer.byteLength(body));
        const response = await httpRequest({
          url,
          method: 'POST',
          headers: { ...headers, 'content-length': length },
          body,
          agent,
          signal,
          network,
        });
        response.destroy();
        return { status: response.statusCode ?? 0 };
      } catch (error) {
        if (error instanceof InvalidAddressError) return { reason: PRIVATE };
        if (signal.aborted) return { reason: 'It did not answer in time.' };
        return { reason: `There was no answer: ${connectionFailure(error) ?? 'the request failed'}.` };
      } finally {
        agent.destroy();
      }
    },
  };
}
