import { itemsNamed, quoteName, sameName } from '../../schema/mdx-name.ts';
import { MAX_NAMESAKES } from '../limits.ts';
import { type Level, Member } from '../metadata/member.ts';
import { AmbiguousNameError } from '../metadata/name-matching.ts';
import { nameOfKey } from '../sql/key-text.ts';
import type { Segment } from '../syntax/ast.ts';
import { MdxError } from '../syntax/errors.ts';
import { parseExpressionText } from '../syntax/parse-statement.ts';
import { lookUp, lookUpMember } from './look-up-name.ts';
import type { Scope } from './scope.ts';

/** The meaning of a name. `several`: the name stands for several members, which differ in their unique names. */
export type NamedMember =
  | { readonly kind: 'one'; readonly member: Member }
  | { readonly kind: 'several'; readonly members: readonly Member[] }
  | { readonly kind: 'none' };

const NONE: NamedMember = { kind: 'none' };

/** Returns the meaning of one name; see `findMembers` in `query/find-members-by-name.ts`. May throw `DataNotLoaded`. */
export function namedMember(scope: Scope, name: string): NamedMember {
  try {
    return unambiguous(scope, name);
  } catch (error) {
    if (!(error instanceof AmbiguousNameError)) throw error;
    const members = error.items.filter((item) => item instanceof Member);
    return members.length === 0 ? NONE : { kind: 'several', members };
  }
}

function unambiguous(scope: Scope, name: string): NamedMember {
  const segments = segmentsIn(name) ?? [];
  const [prefix] = segments;
  if (prefix === undefined || !['dimension', 'hierarchy'].includes(lookUp(scope, [prefix])?.kind ?? '')) return NONE;
  const member = lookUpMember(scope, segments);
  if (member === undefined || member.isNull) return NONE;
  if (sameName(bracketedName(segments), member.uniqueName)) return { kind: 'one', member };
  const others = namesakes(scope, segments, member);
  return others.length > 1 ? { kind: 'several', members: others } : { kind: 'one', member };
}

/**
 * Returns the members that a name through a level may mean. Returns none if the name contains no level, or if the
 * level's names are unique.
 */
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
    const below = lookUp(scope, [...memberSegments(start), ...rest]);
    return below?.kind === 'member' && below.member.level === member.level ? [below.member] : [];
  });
}

function startingAt(level: Level, segment: Segment): readonly Member[] {
  const { members } = level.hierarchy;
  if (level.kind !== 'stored') return [];
  if (segment.kind === 'key') {
    const key = segment.parts.at(-1);
    return members.members(level).filter((each) => nameOfKey(each.key) === key);
  }
  return itemsNamed(members.search(level, segment.name, MAX_NAMESAKES), segment.name, (each) => [each.name]);
}

function memberSegments({ uniqueName }: Member): readonly Segment[] {
  return segmentsIn(uniqueName) ?? [];
}

/** Writes a name with every segment in brackets, as unique names have it. */
function bracketedName(segments: readonly Segment[]): string {
  return segments
    .map((segment) =>
      segment.kind === 'key' ? segment.parts.map((part) => `&${quoteName(part)}`).join('') : quoteName(segment.name),
    )
    .join('.');
}

/** Returns the segments of a compound name; `undefined` if the text is not a name. */
function segmentsIn(name: string): readonly Segment[] | undefined {
  try {
    const expression = parseExpressionText(name);
    return expression.kind === 'identifier' ? expression.segments : undefined;
  } catch (error) {
    if (error instanceof MdxError) return undefined;
    throw error;
  }
}
