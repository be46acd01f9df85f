import { LRUCache } from 'lru-cache';
import { InternalError } from '../../../../router/errors.ts';
import type { SingleFlight } from '../../../../router/single-flight.ts';
import type * as model from '../../schema/model.ts';
import { leavesOf } from '../../schema/relation-leaves.ts';
import { MAX_LEAFLESS_LOOK_UPS, MAX_NAMESAKES } from '../limits.ts';
import { DataNotLoaded } from '../loading/data-not-loaded.ts';
import type { EngineWarehouse } from '../loading/engine-warehouse.ts';
import type { Hierarchy, Level, Member } from '../metadata/member.ts';
import { belowAnyCondition, isCalledCondition } from '../sql/member-conditions.ts';
import { memberStatement } from '../sql/member-statement.ts';
import type { MemberCaptions } from './member-captions.ts';
import type { MemberRows } from './member-rows.ts';

interface ChildlessOptions {
  readonly hierarchy: Hierarchy;
  readonly stored: readonly Level[];
  readonly rows: MemberRows;
  readonly warehouse: EngineWarehouse;
  readonly flights: SingleFlight;
  readonly captions: MemberCaptions;
}

/**
 * Finds members of a snowflake's upper tables that have no row in the lower tables, such as a product class without
 * products. No set lists them and they have no children, but a query may name them.
 */
export class MembersWithoutLeaves {
  readonly #options: ChildlessOptions;
  /** Members by look-up. Created at its first use, because it allocates room for all its entries. */
  #lookUps: LRUCache<string, readonly Member[]> | undefined;
  /**
   * Members by unique name. They are kept as long as the tree, because a caller that has such a member may ask for its
   * children at any time.
   */
  readonly #membersByName = new Map<string, Member>();
  readonly #members = new WeakSet<Member>();

  constructor(options: ChildlessOptions) {
    this.#options = options;
  }

  /** Returns whether a member was found to have no leaves. */
  has(member: Member | undefined): boolean {
    return member !== undefined && this.#members.has(member);
  }

  /**
   * Finds the children of a name (in any letter case) without leaves. Callers use it only if no other child of the
   * parent has exactly this name. Children with leaves whose names differ in letter case may be in the answer.
   *
   * @throws DataNotLoaded until they are read
   */
  children(index: number, parent: Member | undefined, name: string): readonly Member[] {
    const { hierarchy, stored, rows, warehouse, flights } = this.#options;
    const of = hierarchy.model;
    const level = stored[index]?.model;
    const tables = of?.relation === undefined ? undefined : upperTables(of.relation, of.levels.slice(0, index + 1));
    if (of?.relation === undefined || level === undefined || tables === undefined) return [];
    const { relation } = of;
    const key = JSON.stringify([index, parent?.id, name]);
    const keptMembers = this.#lookUps?.get(key);
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
        this.#lookUps ??= new LRUCache({ max: MAX_LEAFLESS_LOOK_UPS });
        const members = Array.from({ length: result.rowCount }, (_, row) =>
          this.#firstRead(rows.childOf(index, parent, columns, result, row)),
        );
        await this.#options.captions.make(members, inner);
        this.#lookUps.set(key, members);
      }),
    );
  }

  /** Returns the object that was made when the member was first read. */
  #firstRead(member: Member): Member {
    const keptMember = this.#membersByName.get(member.uniqueName);
    if (keptMember !== undefined) return keptMember;
    this.#membersByName.set(member.uniqueName, member);
    this.#members.add(member);
    return member;
  }
}

/** Returns the tables of these levels; `undefined` if that is all tables, or if the tables are unknown. */
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
