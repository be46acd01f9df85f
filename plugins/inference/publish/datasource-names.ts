/** The surfaces that a proposal is published on, and the names of its datasources there. */
export const PUBLISHED_AS = ['cube', 'semantic'] as const;
export type PublishedAs = (typeof PUBLISHED_AS)[number];

const MAX_CUBE_CHARACTERS = 60;

/** Returns the connection name of the semantic model of the first cube. */
export function semanticName(name: string): string {
  return `${name}-model`;
}

/**
 * Returns the connection names of the semantic models of some cubes, in their order: a datasource serves one model. The first is
 * `shop-model`, a further one `shop-budget-model`.
 */
export function semanticNames(name: string, cubes: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return cubes.map((cube, place) => {
    const word = cube
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, MAX_CUBE_CHARACTERS)
      .replaceAll(/^-|-$/g, '');
    const preferred = place === 0 ? semanticName(name) : semanticName(`${name}-${word === '' ? place + 1 : word}`);
    const free = taken.has(preferred) ? semanticName(`${name}-${word}-${place + 1}`) : preferred;
    taken.add(free);
    return free;
  });
}
