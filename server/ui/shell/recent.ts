/** What a user opened last, in this browser. */
import { isObject } from '../api-client/json.ts';
import { session } from './page-context.ts';
import { accountName } from './session.ts';

const MAX_RECENT = 12;
/** A longer title or address is no entry of ours. */
const MAX_TEXT_LENGTH = 2_000;

export const RECENT_KINDS = ['dashboard', 'query', 'ai', 'model'] as const;
export type RecentKind = (typeof RECENT_KINDS)[number];

export interface Recent {
  readonly kind: RecentKind;
  readonly title: string;
  /** The address without the base path: `/ui/documents/shared/shop/overview.servicedash`. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Returns what the signed-in user opened, the last first. */
export function readRecent(): readonly Recent[] {
  const key = storageKey();
  if (key === undefined) return [];
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(toRecent).slice(0, MAX_RECENT) : [];
  } catch {
    // Storage may be forbidden, and another program may have written there.
    return [];
  }
}

/** Remembers that the signed-in user opened something. */
export function remember(opened: Omit<Recent, 'at'>): void {
  write([{ ...opened, at: Date.now() }, ...readRecent().filter(({ path }) => path !== opened.path)]);
}

/** Forgets an address that no longer exists. */
export function forget(path: string): void {
  write(readRecent().filter((recent) => recent.path !== path));
}

function write(recent: readonly Recent[]): void {
  const key = storageKey();
  if (key === undefined) return;
  try {
    localStorage.setItem(key, JSON.stringify(recent.slice(0, MAX_RECENT)));
  } catch {
    // Storage may be forbidden or full: nothing is remembered then.
  }
}

function storageKey(): string | undefined {
  return session.user ? `service.recent.${accountName(session.user)}` : undefined;
}

function toRecent(item: unknown): readonly Recent[] {
  if (!isObject(item)) return [];
  const { title, path, at } = item;
  const kind = RECENT_KINDS.find((each) => each === item.kind);
  if (kind === undefined || typeof title !== 'string' || typeof path !== 'string' || typeof at !== 'number') return [];
  // An address of another origin is no page.
  if (!path.startsWith('/ui/') || title.length > MAX_TEXT_LENGTH || path.length > MAX_TEXT_LENGTH) return [];
  return [{ kind, title, path, at }];
}
