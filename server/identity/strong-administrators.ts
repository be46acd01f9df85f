import { isIP } from 'node:net';
import { ADMINISTRATOR_ROLE } from '../../router/capabilities/identity.ts';
import { ForbiddenError } from '../../router/errors.ts';
import type { Users } from './users.ts';

/** Returns whether only this machine can reach a listening address. */
function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === '::1';
}

/** @throws ForbiddenError when other machines can reach the server and an administrator's password is weak */
export async function requireStrongAdministrators(users: Users, host: string): Promise<void> {
  if (isLoopback(host)) return;
  const weak = (await users.list()).filter((user) => user.hasWeakPassword && user.roles.includes(ADMINISTRATOR_ROLE));
  if (weak.length === 0) return;
  const names = weak.map((user) => user.name).join(', ');
  throw new ForbiddenError(
    `Refusing to listen on ${host}: the password of ${names} is weak. Set a longer one (service user passwd, or SERVICE_ADMIN_PASSWORD), or listen on 127.0.0.1.`,
  );
}
