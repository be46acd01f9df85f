/** The surfaces that a proposal is published on, and the names of its datasources there. */
export const PUBLISHED_AS = ['cube', 'semantic'] as const;
export type PublishedAs = (typeof PUBLISHED_AS)[number];

/** Returns the connection name of the semantic model of a publication. */
export function semanticName(name: string): string {
  return `${name}-model`;
}
