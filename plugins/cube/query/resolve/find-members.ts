/** Finds the members that a request names, among those that the caller may see. */
import { MAX_PROBLEMS } from '../../../../router/limits.ts';
import { short } from '../../../../router/short.ts';
import { nearestFirst } from '../../../query-surface/index.ts';
import type { CubeTarget } from '../../catalog/cube-target.ts';
import type { CubeMetadata, HierarchyMetadata, LevelMetadata } from '../../cube-metadata/cube-metadata.ts';
import type { AxisMember, NamedMembers } from '../../engine/cube-engine.ts';
import { quoteName, segmentsOf } from '../../schema/mdx-name.ts';

export interface FoundMember {
  readonly uniqueName: string;
  readonly caption: string;
  readonly level: LevelMetadata;
}

export type MemberMatch =
  | { readonly kind: 'one'; readonly member: FoundMember }
  | {
      readonly kind: 'none' | 'several';
      readonly message: string;
      readonly available: readonly string[];
    };

/** Maximum of candidates for a missing name. */
const MAX_CANDIDATES = 20;
/** Maximum of members from which candidates are chosen. */
const MAX_SAMPLED = 1_000;
/** Maximum of letters of a name that are compared with candidates. */
const MAX_COMPARED = 200;
/** Maximum of members with one caption that get different names. */
const SAME_CAPTION = 1_000;

/**
 * Looks up the members of one request. A text that begins with a bracket is a name of segments and keys, never an
 * expression. Any other text is a caption. The query uses the member's own unique name.
 */
export class MemberFinder {
  readonly #target: CubeTarget;
  readonly #signal: AbortSignal | undefined;
  readonly #sampled = new Map<LevelMetadata, readonly Sample[]>();
  #explained = 0;

  constructor(target: CubeTarget, signal: AbortSignal | undefined) {
    this.#target = target;
    this.#signal = signal;
  }

  /**
   * Finds the members that texts name, in the order of the texts.
   *
   * @param level the level that the members must belong to
   */
  async find(
    texts: readonly string[],
    hierarchy: HierarchyMetadata,
    level: LevelMetadata | undefined,
  ): Promise<readonly MemberMatch[]> {
    const named = await this.#named(texts);
    const matches: MemberMatch[] = [];
    for (const [index, text] of texts.entries()) {
      matches.push(asMatch(text, named[index], hierarchy, level) ?? (await this.#byCaption(text, hierarchy, level)));
    }
    return matches;
  }

  async #byCaption(text: string, hierarchy: HierarchyMetadata, level: LevelMetadata | undefined): Promise<MemberMatch> {
    const captioned = await this.captioned(text, hierarchy, level);
    const [only, ...others] = captioned;
    if (only === undefined) return this.#missing(text, hierarchy, level);
    if (others.length === 0) return { kind: 'one', member: only };
    return several(text, captioned);
  }

  /** Finds all members with a caption: exactly, or if there are none, in any letter case. */
  async captioned(
    caption: string,
    hierarchy: HierarchyMetadata,
    level: LevelMetadata | undefined,
  ): Promise<readonly FoundMember[]> {
    const levels = level === undefined ? hierarchy.levels.filter(({ isAll }) => !isAll) : [level];
    const captioned: FoundMember[] = [];
    for (const each of levels) {
      const holding = await this.search(each, caption, SAME_CAPTION);
      for (const member of holding) captioned.push({ ...member, level: each });
      if (holding.length < SAME_CAPTION || holding.some((member) => member.caption === caption)) continue;
      // More members contain the text than are read, but one may have exactly this name.
      const name = `${each.uniqueName}.${quoteName(caption)}`;
      const [named] = await this.#named([name]);
      const match = asMatch(name, named, hierarchy, each);
      if (match?.kind === 'one') captioned.push(match.member);
    }
    const exact = captioned.filter((member) => member.caption === caption);
    return exact.length > 0 ? exact : captioned.filter((member) => folded(member.caption) === folded(caption));
  }

  /** Finds a member of any hierarchy of the view by its unique name. */
  async anywhere(
    text: string,
    { dimensions }: CubeMetadata,
  ): Promise<
    | { readonly kind: 'one'; readonly member: FoundMember; readonly hierarchy: HierarchyMetadata }
    | { readonly kind: 'none'; readonly message: string; readonly available: readonly string[] }
  > {
    const [named] = await this.#named([text]);
    const hierarchies = dimensions.flatMap((dimension) => dimension.hierarchies);
    for (const hierarchy of hierarchies) {
      const match = asMatch(text, named, hierarchy, undefined);
      if (match?.kind === 'one') return { ...match, hierarchy };
      if (match !== undefined) return { kind: 'none', message: match.message, available: match.available };
    }
    // Candidates are from the topmost levels of the hierarchy whose name starts the text, or else of all hierarchies.
    const begun = hierarchies.filter(({ uniqueName }) => folded(text).startsWith(folded(uniqueName)));
    const available: string[] = [];
    for (const hierarchy of begun.length > 0 ? begun : hierarchies) {
      available.push(...(await this.#candidates(text, searchedOf(hierarchy, undefined))));
    }
    return {
      kind: 'none',
      message: `There is no member "${short(text)}" in the cube; give its unique name.`,
      available: nearestFirst(text.slice(0, MAX_COMPARED), available).slice(0, MAX_CANDIDATES),
    };
  }

  search(level: LevelMetadata, text: string | undefined, limit: number) {
    const { engine, view, access } = this.#target;
    return engine.searchMembers(
      { cube: view.name, level: level.uniqueName, ...(text === undefined || text === '' ? {} : { text }), limit },
      { ...access, signal: this.#signal },
    );
  }

  /** Lists the first children of a member, by its unique name, in their order. */
  async children(parent: string, limit: number): Promise<readonly AxisMember[]> {
    const { engine, view, access } = this.#target;
    const query = `SELECT {} ON COLUMNS, HEAD(${parent}.Children, ${limit}) ON ROWS FROM ${quoteName(view.name)}`;
    return engine.members(query, { ...access, signal: this.#signal });
  }

  /** Lists all members of a level in their order. */
  async all(level: LevelMetadata): Promise<readonly AxisMember[]> {
    const { engine, view, access } = this.#target;
    const query = `SELECT {} ON COLUMNS, ${level.uniqueName}.Members ON ROWS FROM ${quoteName(view.name)}`;
    return engine.members(query, { ...access, signal: this.#signal });
  }

  /** Resolves the texts that are names, each at the index of its text. */
  async #named(texts: readonly string[]): Promise<readonly (NamedMembers | undefined)[]> {
    const { engine, view, access } = this.#target;
    const names = texts.filter(isName);
    if (names.length === 0) return [];
    const members = (
      await engine.findMembers({ cube: view.name, names }, { ...access, signal: this.#signal })
    ).values();
    return texts.map((text) => (isName(text) ? members.next().value : undefined));
  }

  async #missing(text: string, hierarchy: HierarchyMetadata, level: LevelMetadata | undefined): Promise<MemberMatch> {
    const where = level === undefined ? `the hierarchy ${hierarchy.name}` : `the level ${level.name}`;
    return {
      kind: 'none',
      message: `There is no member "${short(text)}" on ${where}.`,
      available: await this.#candidates(text, searchedOf(hierarchy, level)),
    };
  }

  /** Lists unique names of members of the levels, most similar to the text first. */
  async #candidates(text: string, levels: readonly LevelMetadata[]): Promise<readonly string[]> {
    if (++this.#explained > MAX_PROBLEMS) return [];
    const name = lastName(text).slice(0, MAX_COMPARED);
    const samples = new Map<string, Sample>();
    for (const level of levels) {
      const sampled = this.#sampled.get(level) ?? (await this.search(level, undefined, MAX_SAMPLED));
      this.#sampled.set(level, sampled);
      // In a larger level, members that contain the text are better candidates than the first members.
      const holding = sampled.length < MAX_SAMPLED ? [] : await this.search(level, name, MAX_CANDIDATES);
      for (const sample of [...holding, ...sampled]) samples.set(sample.uniqueName, sample);
    }
    const byCaption = nearestFirst(name, [...new Set([...samples.values()].map(({ caption }) => caption))]);
    const rank = new Map(byCaption.map((caption, index) => [caption, index]));
    return [...samples.values()]
      .toSorted((left, right) => (rank.get(left.caption) ?? 0) - (rank.get(right.caption) ?? 0))
      .slice(0, MAX_CANDIDATES)
      .map(({ uniqueName }) => uniqueName);
  }
}

interface Sample {
  readonly caption: string;
  readonly uniqueName: string;
}

/** Lists the levels on which a name is searched: the level, or all levels of the hierarchy below the total. */
function searchedOf(hierarchy: HierarchyMetadata, level: LevelMetadata | undefined): readonly LevelMetadata[] {
  return level === undefined ? hierarchy.levels.filter(({ isAll }) => !isAll) : [level];
}

/** Returns the match of a name; `undefined` if it names no member of the hierarchy or level. */
function asMatch(
  text: string,
  named: NamedMembers | undefined,
  hierarchy: HierarchyMetadata,
  level: LevelMetadata | undefined,
): MemberMatch | undefined {
  if (named === undefined || named.kind === 'none') return undefined;
  const members = named.kind === 'one' ? [named.member] : named.members;
  const matches = members.flatMap((member): readonly FoundMember[] => {
    if (member.hierarchy !== hierarchy.uniqueName) return [];
    const memberLevel = hierarchy.levels.find(({ uniqueName }) => uniqueName === member.level);
    if (memberLevel === undefined || (level !== undefined && memberLevel !== level)) return [];
    return [{ uniqueName: member.uniqueName, caption: member.caption, level: memberLevel }];
  });
  const [only, ...others] = matches;
  if (only === undefined) return undefined;
  return others.length === 0 ? { kind: 'one', member: only } : several(text, matches);
}

function several(text: string, members: readonly FoundMember[]): MemberMatch {
  return {
    kind: 'several',
    message: `Several members are called "${short(text)}"; give the unique name of the one that is meant.`,
    available: members.slice(0, MAX_CANDIDATES).map(({ uniqueName }) => uniqueName),
  };
}

function isName(text: string): boolean {
  return text.trimStart().startsWith('[');
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}

/** Returns the text in the last brackets of a name; a text without brackets is returned unchanged. */
function lastName(text: string): string {
  return segmentsOf(text)?.at(-1) ?? text;
}
