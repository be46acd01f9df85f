import type { NamedPlace } from './driver.ts';

/**
 * Returns the place of a schema that a connection names; nothing where it names none.
 *
 * @param sql selects the names that exist
 */
export function namedSchema(name: string | undefined, sql: string): readonly NamedPlace[] {
  return name === undefined ? [] : [{ kind: 'schema', name, isInAddress: false, names: { sql, parameters: [] } }];
}
