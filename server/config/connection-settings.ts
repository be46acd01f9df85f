import { z } from 'zod';
import { setting } from './define-setting.ts';

export const Hosts = z
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
        .regex(
          /^(\*|(\*\.)?[\w.-]+(\/\d{1,2})?|\[[0-9a-f:.]+\]|[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*(\/\d{1,3})?)(:\d{1,5})?$/i,
          'must be hosts such as db.example, *.example.com, 10.1.2.3, 10.0.0.0/8 or [fd00::1]:5432, separated by commas',
        ),
    ),
  );

/** Settings of the allowed hosts of warehouses. */
export const CONNECTION_SETTINGS = {
  'service.connections.allowHosts': setting({
    schema: Hosts,
    default: [],
    description:
      'Hosts that warehouses may be at although they are refused in hosted mode (with `service.state.url`): names, `*.names`, addresses and networks, with `:port` or without, separated by commas. Refused are private, loopback, link-local and cloud metadata addresses, and the port of this server.',
  }),
  'service.connections.denyHosts': setting({
    schema: Hosts,
    default: [],
    description:
      'Hosts that no warehouse may be at, in any mode; written as in `service.connections.allowHosts`, which it wins over.',
  }),
} as const;
