/** Runs the MDX engine in the calling thread. */
import { cooperativeMap, cooperativeYield } from '../../../router/cooperative-yield.ts';
import { type CatalogOptions, type Member, type NamedMember, openCatalog } from '../mdx/index.ts';
import type { AxisMember, CubeEngine, NamedMembers, PlacedMember } from './cube-engine.ts';
import { gridOf } from './grid.ts';

export function inlineEngine(options: CatalogOptions): CubeEngine {
  const catalog = openCatalog(options);
  return {
    async grid({ mdx, measures }, query) {
      return gridOf(await catalog.query(mdx, query), measures);
    },
    async members(mdx, query) {
      const { axes } = await catalog.query(mdx, query);
      const members = (axes[1]?.tuples ?? []).flatMap((tuple) => tuple[0] ?? []);
      return cooperativeMap(members, cooperativeYield(), axisMembers());
    },
    drillthrough: (mdx, query) => catalog.drillthrough(mdx, query),
    searchMembers: (search, query) => catalog.searchMembers(search, query),
    findMembers: async (names, query) => (await catalog.findMembers(names, query)).map(named),
    explainCells: (cells, query) => catalog.explainCells(cells, query),
    describe: (cube, access) => catalog.describe(cube, access),
    check: (check) => catalog.check(check),
    close: () => catalog.close(),
  };
}

/** Returns a writer of members that writes each member, and each one above it, once. */
function axisMembers(): (member: Member) => AxisMember {
  const written = new Map<Member, AxisMember>();
  const write = (member: Member): AxisMember => {
    const present = written.get(member);
    if (present !== undefined) return present;
    const { uniqueName, caption, name, key, level, treeParent } = member;
    const fresh: AxisMember = {
      uniqueName,
      caption,
      name,
      key,
      level: { type: level.type },
      treeParent: treeParent === undefined ? undefined : write(treeParent),
    };
    written.set(member, fresh);
    return fresh;
  };
  return write;
}

function named(meant: NamedMember): NamedMembers {
  switch (meant.kind) {
    case 'one':
      return { kind: 'one', member: placed(meant.member) };
    case 'several':
      return { kind: 'several', members: meant.members.map(placed) };
    case 'none':
      return meant;
  }
}

function placed({ uniqueName, caption, hierarchy, level }: Member): PlacedMember {
  return { uniqueName, caption, hierarchy: hierarchy.uniqueName, level: level.uniqueName };
}
