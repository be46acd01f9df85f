/** Whom an administrator views as on these pages: kept in the tab, so that it stays while the visitor moves between pages. */
import type { ViewAs } from '../api-client/client.ts';
import { isObject } from '../api-client/json.ts';

const KEY = 'service-view-as';

/** Returns whom this tab views as. */
export function keptViewAs(): ViewAs | undefined {
  try {
    return viewAsFrom(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
  } catch {
    // Storage may be forbidden, and another program may have written there.
    return undefined;
  }
}

/** Keeps it for this tab; `undefined` ends it. */
export function keepViewAs(viewAs: ViewAs | undefined): void {
  try {
    if (viewAs === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(viewAs));
  } catch {
    // Without storage it lasts until the next page.
  }
}

/** Returns what another page of ours wrote; `undefined` for anything else. */
export function viewAsFrom(json: unknown): ViewAs | undefined {
  if (!isObject(json)) return undefined;
  const { role, attributes } = json;
  const named = typeof role === 'string' ? { role } : {};
  if (attributes === undefined) return typeof role === 'string' ? named : undefined;
  return isObject(attributes) ? { ...named, attributes: valuesFrom(attributes) } : undefined;
}

function valuesFrom(attributes: Readonly<Record<string, unknown>>): NonNullable<ViewAs['attributes']> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, values]) => [name, Array.isArray(values) ? values.filter(isValue) : []]),
  );
}

function isValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
