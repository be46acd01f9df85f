import { LRUCache } from 'lru-cache';
import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../../router/errors.ts';
import type { SingleFlight } from '../../../../router/single-flight.ts';
import type * as model from '../../schema/model.ts';
import { leavesOf } from '../../schema/relation-leaves.ts';
import { MAX_LEAFLESS_LOOK_UPS, MAX_NAMESAKES } from '../limits.ts';
import { DataNotLoaded } from '../loading/data-not-loaded.ts';
import type { Hierarchy, Level, Member } from '../metadata/member.ts';
import { belowAnyCondition, isCalledCondition } from '../sql/member-conditions.ts';
import { memberStatement } from '../sql/member-statement.ts';
import type { MemberCaptions } from './member-captions.ts';
import type { MemberRows } from './member-rows.ts';

interface ChildlessOptions {
  readonly hierarchy: Hierarchy;
  readonly stored: readonly Level[];
  readonly rows: MemberRows;
  readonly warehouse: Warehouse;
  readonly flights: SingleFlight;
  readonly captions: MemberCaptions;
}

/**
 * Members of a snowflake's upper tables that have no row in its lower ones: a product class without products. No set lists
 * them and nothing is below them, but who writes their name means them.
 */
export class MembersWithoutLeaves {
  readonly #options: ChildlessOptions;
  /** Made when it is first used: such a cache takes the room for all of its entries at once. */
  #found: LRUCache<string, readonly Member[]> | undefined;
  /** Stays as long as the member: who holds one may ask for its children at any time. */
  readonly #known = new Map<string, Member>();
  readonly #members = new WeakSet<Member>();

  constructor(options: ChildlessOptions) {
    this.#options = options;
  }

  /** Returns whether a member was found to be without leaves. */
  has(member: Member | undefined): boolean {
    return member !== undefined && this.#members.has(member);
  }

  /**
   * Finds the members without leaves that have a name (letter case ignored); asked for only where no other child of the parent has
   * exactly that name. Where others have it but for letter case, these are among the answer.
   *
   * @throws DataNotLoaded until it is read
   */
  children(index: number, parent: Member | undefined, name: string): readonly Member[] {
    const { hierarchy, stored, rows, warehouse, flights } = this.#options;
    const of = hierarchy.model;
    const level = stored[index]?.model;
    const tables = of?.relation === undefined ? undefined : upperTables(of.relation, of.levels.slice(0, index + 1));
    if (of?.relation === undefined || level === undefined || tables === undefined) return [];
    const { relation } = of;
    const key = JSON.stringify([index, parent?.id, name]);
    const keptMembers = this.#found?.get(key);
    if (keptMembers !== undefined) return keptMembers;
    throw new DataNotLoaded(`members ${hierarchy.ordinal} childless ${key}`, (signal) =>
      flights.run(`childless ${key}`, signal, async (inner) => {
        const { dialect } = warehouse;
        const { statement, levels } = memberStatement(dialect, of, relation, of.levels.slice(0, index + 1), {
          tables,
          conditions: (columns) => [
            ...belowAnyCondition(parent === undefined ? [] : [parent], columns),
            isCalledCondition(level, 'name', name, dialect, columns),
          ],
        });
        const columns = levels.at(-1);
        if (columns === undefined) throw new InternalError('A level is missing.');
        const result = await warehouse.query(statement, { signal: inner, maxRows: MAX_NAMESAKES });
        this.#found ??= new LRUCache({ max: MAX_LEAFLESS_LOOK_UPS });
        const members = Array.from({ length: result.rowCount }, (_, row) =>
          this.#same(rows.childOf(index, parent, columns, result, row)),
        );
        await this.#options.captions.make(members, inner);
        this.#found.set(key, members);
      }),
    );
  }

  /** Returns the member as it was read before: it stays the same object. */
  #same(member: Member): Member {
    const keptMember = this.#known.get(member.uniqueName);
    if (keptMember !== undefined) return keptMember;
    this.#known.set(member.uniqueName, member);
    this.#members.add(member);
    return member;
  }
}

/** Returns the tables that these levels are read from; `undefined` where that is all of them, or not known. */
function upperTables(
  relation: model.Relation,
  levels: readonly model.Level[],
): readonly [string, ...string[]] | undefined {
  const tables = new Set<string>();
  for (const level of levels) {
    const { key, nameExpression, captionExpression, ordinals, properties } = level;
    const expressions = [key, nameExpression, captionExpression, ...ordinals, ...properties];
    for (const each of expressions) {
      const expression = each === undefined || 'kind' in each ? each : each.expression;
      if (expression === undefined) continue;
      if (expression.kind !== 'column') return undefined;
      tables.add(expression.table);
    }
  }
  const [first, ...others] = tables;
  return first === undefined || tables.size === leavesOf(relation).length ? undefined : [first, ...others];
}
