import type { ColumnarResult } from '../../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../../router/errors.ts';
import type * as model from '../../schema/model.ts';
import type { ScriptRunner } from '../../scripts/script.ts';
import { whenLoaded } from '../loading/data-not-loaded.ts';
import type { EngineWarehouse } from '../loading/engine-warehouse.ts';
import type { Hierarchy, Level, Member } from '../metadata/member.ts';
import { type MemberRestriction, memberStatement, type VisibleFacts } from '../sql/member-statement.ts';
import { MdxLimitError } from '../syntax/errors.ts';
import { MemberCaptions } from './member-captions.ts';
import type { MemberRows } from './member-rows.ts';

export interface MemberReaderOptions {
  readonly hierarchy: Hierarchy;
  /** The fact table. A hierarchy without a table of its own is read from it. */
  readonly fact: model.Relation;
  /** The facts that the caller sees, for a hierarchy in their table that has only their members. May throw `DataNotLoaded`. */
  readonly visibleFacts?: (() => VisibleFacts) | undefined;
  readonly warehouse: EngineWarehouse;
  /** The maximum number of members of one level. */
  readonly maxMembers: number;
  /** Runs the formatters of levels. */
  readonly scripts: ScriptRunner;
}

export interface MembersRead {
  /** True if there are more rows than the requested maximum. */
  readonly truncated: boolean;
  readonly members: readonly Member[];
}

/** Reads members of a hierarchy from the warehouse into `MemberRows`. */
export class MemberReader {
  readonly #options: MemberReaderOptions;
  readonly #stored: readonly Level[];
  readonly #rows: MemberRows;
  readonly captions: MemberCaptions;

  constructor(options: MemberReaderOptions, stored: readonly Level[], rows: MemberRows) {
    this.#options = options;
    this.#stored = stored;
    this.#rows = rows;
    this.captions = new MemberCaptions(options.scripts);
  }

  /**
   * Reads the members of a stored level that meet a restriction, with their ancestors. Reads at most `maxRows` rows.
   */
  async read(
    index: number,
    restriction: MemberRestriction,
    maxRows: number,
    signal: AbortSignal,
  ): Promise<MembersRead> {
    const { hierarchy, warehouse, fact, visibleFacts } = this.#options;
    const of = hierarchy.model;
    if (of === undefined) throw new InternalError(`${hierarchy.uniqueName} has no stored members.`);
    const { statement, levels } = memberStatement(
      warehouse.dialect,
      of,
      fact,
      of.levels.slice(0, index + 1),
      restriction,
      visibleFacts === undefined ? undefined : await whenLoaded(visibleFacts, signal),
    );
    const result: ColumnarResult = await warehouse.query(statement, { signal, maxRows });
    for (const [at, { key, name, ordinals }] of levels.entries()) {
      const level = this.#stored[at];
      if (level === undefined) continue;
      level.keyType = result.columns[key]?.type ?? 'other';
      level.nameType = name === undefined ? level.keyType : (result.columns[name]?.type ?? 'other');
      level.descending = ordinals.map(({ descending }) => descending);
    }
    // A probe only finds out whether there are too many members.
    const probe = restriction.limit === maxRows + 1;
    if (result.truncated && (probe || restriction.limit === undefined)) return { truncated: true, members: [] };
    const members = await this.#rows.add(result, levels);
    await this.captions.make(members, signal);
    return { truncated: result.truncated, members };
  }

  /**
   * Reads all members that meet a restriction.
   *
   * @throws MdxLimitError if there are more than `maxMembers`
   */
  async readAll(index: number, restriction: MemberRestriction, signal: AbortSignal): Promise<readonly Member[]> {
    const { truncated, members } = await this.read(index, restriction, this.#options.maxMembers, signal);
    if (truncated) throw this.tooMany(index);
    return members;
  }

  /** Returns the error of a query that needs too many members of a level. */
  tooMany(index: number): MdxLimitError {
    const { hierarchy, maxMembers } = this.#options;
    const name = this.#stored[index]?.uniqueName ?? hierarchy.uniqueName;
    return new MdxLimitError(
      `The query needs more than ${maxMembers} members of ${name}. Ask for fewer of them: the children of a member, or the top of a set.`,
    );
  }
}
