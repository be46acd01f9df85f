/** Members that a request names, looked up as the caller may see them. */
import { ValidationError } from '../../../router/errors.ts';
import type { Target } from '../catalog.ts';
import type { Member } from '../mdx/catalog/member.ts';
import { MdxError } from '../mdx/errors.ts';
import { parseExpressionText } from '../mdx/parser/parse.ts';
import { unparseSegments } from '../mdx/unparse.ts';
import { quoted } from '../schema/mdx-name.ts';
import type { CubeView, HierarchyView, LevelView } from '../view/cube-view.ts';

export interface FoundMember {
  readonly uniqueName: string;
  readonly caption: string;
  readonly level: LevelView;
}

export type MemberMatch =
  | { readonly kind: 'one'; readonly member: FoundMember }
  | {
      readonly kind: 'none' | 'several' | 'elsewhere';
      readonly message: string;
      readonly available: readonly string[];
    };

const CANDIDATES = 20;
/** Members of one caption that are told apart at most. */
const SAME_CAPTION = 1_000;

/**
 * Looks members up for one request. Only the form of a name that a caller wrote decides what is looked up: it is parsed
 * as a name, written anew, and what goes into a query afterwards is the member's own unique name.
 */
export class MemberFinder {
  readonly #target: Target;
  readonly #signal: AbortSignal | undefined;

  constructor(target: Target, signal: AbortSignal | undefined) {
    this.#target = target;
    this.#signal = signal;
  }

  /** In the order of the texts. `level`: on which they have to be. */
  async find(
    texts: readonly string[],
    hierarchy: HierarchyView,
    level: LevelView | undefined,
  ): Promise<readonly MemberMatch[]> {
    const names = texts.map(nameOf);
    const known = names.filter((name) => name !== undefined);
    const together = known.length === names.length ? await this.#byName(known) : undefined;
    if (together !== undefined && together.length === texts.length) {
      const matches: MemberMatch[] = [];
      for (const [index, member] of together.entries()) {
        const fitting = asMatch(member, hierarchy, level);
        matches.push(fitting ?? (await this.#missing(texts[index] ?? '', hierarchy, level)));
      }
      return matches;
    }
    const matches: MemberMatch[] = [];
    for (const [index, text] of texts.entries()) matches.push(await this.#one(text, names[index], hierarchy, level));
    return matches;
  }

  async #one(
    text: string,
    name: string | undefined,
    hierarchy: HierarchyView,
    level: LevelView | undefined,
  ): Promise<MemberMatch> {
    const [member] = (name === undefined ? undefined : await this.#byName([name])) ?? [];
    const named = member === undefined ? undefined : asMatch(member, hierarchy, level);
    if (named !== undefined) return named;
    const captioned = await this.captioned(text, hierarchy, level);
    const [only, ...others] = captioned;
    if (only !== undefined && others.length === 0) return { kind: 'one', member: only };
    if (only === undefined) return this.#missing(text, hierarchy, level);
    return {
      kind: 'several',
      message: `Several members are called "${text}"; give the unique name of the one that is meant.`,
      available: captioned.map(({ uniqueName }) => uniqueName),
    };
  }

  /** All members that have this caption: exactly, or regardless of letter case where none has it so. */
  async captioned(
    caption: string,
    hierarchy: HierarchyView,
    level: LevelView | undefined,
  ): Promise<readonly FoundMember[]> {
    const levels = level === undefined ? hierarchy.levels.filter(({ isAll }) => !isAll) : [level];
    const found: FoundMember[] = [];
    for (const each of levels) {
      const holding = await this.search(each, caption, SAME_CAPTION);
      for (const member of holding) found.push({ ...member, level: each });
      if (holding.length < SAME_CAPTION || holding.some((member) => member.caption === caption)) continue;
      // More members hold the text than are looked through; one may be named exactly so.
      const [named] = (await this.#byName([`${each.uniqueName}.${quoted(caption)}`])) ?? [];
      const match = named === undefined ? undefined : asMatch(named, hierarchy, each);
      if (match?.kind === 'one') found.push(match.member);
    }
    const exact = found.filter((member) => member.caption === caption);
    const folded = caption.trim().toLowerCase();
    return exact.length > 0 ? exact : found.filter((member) => member.caption.trim().toLowerCase() === folded);
  }

  /** A member by its unique name, of whichever hierarchy of the view. */
  async anywhere(
    text: string,
    { dimensions }: CubeView,
  ): Promise<{ readonly uniqueName: string; readonly hierarchy: string } | undefined> {
    const name = nameOf(text);
    const [member] = (name === undefined ? undefined : await this.#byName([name])) ?? [];
    if (member === undefined) return undefined;
    const hierarchies = dimensions.flatMap((dimension) => dimension.hierarchies);
    const found = hierarchies.find((hierarchy) => asMatch(member, hierarchy, undefined) !== undefined);
    return found === undefined ? undefined : { uniqueName: member.uniqueName, hierarchy: found.name };
  }

  search(level: LevelView, text: string | undefined, limit: number) {
    const { mdx, view, roles } = this.#target;
    return mdx.searchMembers(
      { cube: view.name, level: level.uniqueName, ...(text === undefined || text === '' ? {} : { text }), limit },
      { roles, signal: this.#signal },
    );
  }

  /** All members of a level, in their order. */
  async all(level: LevelView): Promise<readonly Member[]> {
    return (await this.#run(`${level.uniqueName}.Members`)) ?? [];
  }

  #byName(names: readonly string[]): Promise<readonly Member[] | undefined> {
    return this.#run(names.join(', '));
  }

  /** The members of a set; `undefined` where the engine does not know its names. No cell is computed for it. */
  async #run(set: string): Promise<readonly Member[] | undefined> {
    const { mdx, view, roles } = this.#target;
    try {
      const { axes } = await mdx.query(`SELECT {} ON COLUMNS, {${set}} ON ROWS FROM ${quoted(view.name)}`, {
        roles,
        signal: this.#signal,
      });
      return (axes[1]?.tuples ?? []).flatMap((tuple) => tuple[0] ?? []);
    } catch (error) {
      if (error instanceof MdxError) return undefined;
      throw error;
    }
  }

  async #missing(text: string, hierarchy: HierarchyView, level: LevelView | undefined): Promise<MemberMatch> {
    const where = level === undefined ? `the hierarchy ${hierarchy.name}` : `the level ${level.name}`;
    const searched = level ?? hierarchy.levels.find(({ isAll }) => !isAll);
    const last = lastName(text);
    const near = searched === undefined ? [] : await this.search(searched, last, CANDIDATES);
    const others =
      searched === undefined || near.length > 0 ? near : await this.search(searched, undefined, CANDIDATES);
    return {
      kind: 'none',
      message: `There is no member "${text}" on ${where}.`,
      available: others.map(({ uniqueName }) => uniqueName),
    };
  }
}

function asMatch(member: Member, hierarchy: HierarchyView, level: LevelView | undefined): MemberMatch | undefined {
  if (member.isNull || member.hierarchy.uniqueName !== hierarchy.uniqueName) return undefined;
  const own = hierarchy.levels.find(({ uniqueName }) => uniqueName === member.level.uniqueName);
  if (own === undefined || (level !== undefined && own !== level)) return undefined;
  return { kind: 'one', member: { uniqueName: member.uniqueName, caption: member.caption, level: own } };
}

/** A text that is a name in brackets, written anew; `undefined` for anything else, such as a caption. */
function nameOf(text: string): string | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const expression = parseExpressionText(text);
    return expression.kind === 'identifier' ? unparseSegments(expression.segments) : undefined;
  } catch (error) {
    // No name, so it can only be a caption.
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}

function lastName(text: string): string {
  const found = /\[((?:[^\]]|\]\])*)\]\s*$/.exec(text);
  return found?.[1]?.replaceAll(']]', ']') ?? text;
}
