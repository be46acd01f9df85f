import { z } from 'zod';
import { parseAllowedLink } from '../links/allowed-links.ts';
import { Hosts } from './connection-settings.ts';
import { setting } from './define-setting.ts';

const Links = z
  .string()
  .max(10_000)
  .transform((text) =>
    text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  )
  .pipe(
    z.array(
      z
        .string()
        .refine(
          (each) => parseAllowedLink(each) !== undefined,
          'must be hosts such as files.example.com, *.example.com, or beginnings such as https://files.example.com/exports/, separated by commas',
        ),
    ),
  );

/** Settings of links that data is imported from. */
export const LINK_SETTINGS = {
  'service.links.allow': setting({
    schema: Links,
    default: [],
    description:
      'Links that administrators of a tenant may import data from, separated by commas: hosts (`files.example.com`, `*.example.com`, for https), or beginnings of links (`https://files.example.com/exports/`). Redirects are followed to allowed links only. Empty: no links.',
  }),
  'service.links.privateHosts': setting({
    schema: Hosts,
    default: [],
    description:
      'Hosts of `service.links.allow`, and of webhooks, that may have private, loopback or link-local addresses, which are refused otherwise; written as in `service.connections.allowHosts`. `service.connections.denyHosts` applies, too.',
  }),
} as const;
