import type { RuntimeCube } from './catalog/cube.ts';
import { type Level, type Member, quoteName } from './catalog/member.ts';
import { MdxError } from './errors.ts';
import { loadAll, Pending } from './evaluate/pending.ts';
import type { Segment } from './parser/ast.ts';
import { parseExpressionText } from './parser/parse.ts';
import { lookUp } from './resolve/lookup.ts';
import { declareSchemaFormulas } from './resolve/schema-formulas.ts';
import { Scope } from './resolve/scope.ts';
import { Run } from './run.ts';

export interface MemberNames {
  readonly cube: string;
  readonly names: readonly string[];
}

/** What a name stands for. `several`: it is short for the unique names of several members. */
export type NamedMember =
  | { readonly kind: 'one'; readonly member: Member }
  | { readonly kind: 'several'; readonly members: readonly Member[] }
  | { readonly kind: 'none' };

/** A look-up takes this long at most. */
const LOOK_UP_MS = 60_000;
/** Members of one name that are told apart at most. */
const MAX_NAMESAKES = 1_000;
const NONE: NamedMember = { kind: 'none' };

/**
 * Finds members by their names, in the order of the names. A name begins with its dimension or hierarchy; every segment
 * is a name or a key (`&[1]`), never a function, so that `[Store].[USA].Children` is no member. A name through a level
 * (`[Store].[Name].[Oslo]`) means a member only where no other of the level has it.
 */
export async function findMembers(
  cube: RuntimeCube,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly NamedMember[]> {
  const run = new Run(cube, signal, Date.now() + LOOK_UP_MS);
  const scope = await run.settle(() => {
    const fresh = new Scope(cube, new Map(), Date.now);
    declareSchemaFormulas(fresh);
    return fresh;
  });
  const found = new Map<number, NamedMember>();
  return run.settle(() => {
    const missing: Pending[] = [];
    for (const [index, name] of names.entries()) {
      if (found.has(index)) continue;
      try {
        found.set(index, namedMember(scope, name));
      } catch (error) {
        if (!(error instanceof Pending)) throw error;
        missing.push(error);
      }
    }
    if (missing.length > 0) throw new Pending('members by name', (stop) => loadAll(missing, stop));
    return names.map((_, index) => found.get(index) ?? NONE);
  });
}

/** `undefined` for a text that is no compound name. */
function segmentsIn(name: string): readonly Segment[] | undefined {
  try {
    const expression = parseExpressionText(name);
    return expression.kind === 'identifier' ? expression.segments : undefined;
  } catch (error) {
    if (error instanceof MdxError) return undefined;
    throw error;
  }
}

/** What one name stands for; see `findMembers`. May throw `Pending`. */
export function namedMember(scope: Scope, name: string): NamedMember {
  const segments = segmentsIn(name) ?? [];
  const [prefix] = segments;
  if (prefix === undefined || !['dimension', 'hierarchy'].includes(lookUp(scope, [prefix])?.kind ?? '')) return NONE;
  const element = lookUp(scope, segments);
  if (element?.kind !== 'member' || element.member.isNull) return NONE;
  const { member } = element;
  if (same(written(segments), member.uniqueName)) return { kind: 'one', member };
  const others = namesakes(scope, segments, member);
  return others.length > 1 ? { kind: 'several', members: others } : { kind: 'one', member };
}

/** The members that a name through a level may mean; none where it goes through no level, or the level tells all apart. */
function namesakes(scope: Scope, segments: readonly Segment[], member: Member): readonly Member[] {
  const at = segments.findIndex(
    (_, index) => index < segments.length - 1 && lookUp(scope, segments.slice(0, index + 1))?.kind === 'level',
  );
  const through = at < 0 ? undefined : lookUp(scope, segments.slice(0, at + 1));
  const segment = segments[at + 1];
  if (through?.kind !== 'level' || segment === undefined || through.level.model?.uniqueMembers === true) return [];
  const rest = segments.slice(at + 2);
  return startingAt(through.level, segment).flatMap((start) => {
    if (rest.length === 0) return [start];
    const below = lookUp(scope, [...pathOf(start), ...rest]);
    return below?.kind === 'member' && below.member.level === member.level ? [below.member] : [];
  });
}

function startingAt(level: Level, segment: Segment): readonly Member[] {
  const { members } = level.hierarchy;
  if (level.kind !== 'stored') return [];
  if (segment.kind === 'key') {
    const key = segment.parts.at(-1);
    return members.members(level).filter((each) => String(each.key ?? '#null') === key);
  }
  return members.search(level, segment.name, MAX_NAMESAKES).filter((each) => same(each.name, segment.name));
}

function pathOf({ uniqueName }: Member): readonly Segment[] {
  return segmentsIn(uniqueName) ?? [];
}

/** With every segment in brackets, as unique names are. */
function written(segments: readonly Segment[]): string {
  return segments
    .map((segment) =>
      segment.kind === 'key' ? segment.parts.map((part) => `&${quoteName(part)}`).join('') : quoteName(segment.name),
    )
    .join('.');
}

function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
