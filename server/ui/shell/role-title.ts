import { msg } from '../words/words.ts';

/** Returns a role in words: `ROLE_SALES_LEAD` is "Sales lead". */
export function roleTitle(role: string): string {
  if (role === 'ROLE_ADMIN') return msg('Administrator');
  if (role === 'ROLE_USER') return msg('User');
  const words = role
    .replace(/^ROLE_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
