import type { Script, ScriptRunner } from '../../scripts/script.ts';
import type { Member } from '../metadata/member.ts';
import { scriptMember } from '../metadata/script-member.ts';
import { MdxError } from '../syntax/errors.ts';

/** Formats the captions of members whose level has a formatter, once for each member. */
export class MemberCaptions {
  readonly #runner: ScriptRunner;
  readonly #captioned = new WeakSet<Member>();

  constructor(runner: ScriptRunner) {
    this.#runner = runner;
  }

  /**
   * Formats the captions of members and of their ancestors.
   *
   * @throws MdxError if a formatter fails
   */
  async make(members: Iterable<Member>, signal: AbortSignal | undefined): Promise<void> {
    const waiting = new Map<Script, Member[]>();
    for (const member of members) {
      for (let at: Member | undefined = member; at !== undefined && !this.#captioned.has(at); at = at.treeParent) {
        this.#captioned.add(at);
        const script = at.kind === 'stored' ? at.level.model?.formatter : undefined;
        if (script === undefined) continue;
        const waitingMembers = waiting.get(script);
        if (waitingMembers === undefined) waiting.set(script, [at]);
        else waitingMembers.push(at);
      }
    }
    for (const [script, of] of waiting) await this.#run(script, of, signal);
  }

  async #run(script: Script, members: readonly Member[], signal: AbortSignal | undefined): Promise<void> {
    const calls = members.map((member) => ({ name: 'execute', args: [scriptMember(member)] }) as const);
    const outcomes = await this.#runner.run({ ...script, calls }, signal);
    for (const [index, member] of members.entries()) {
      const outcome = outcomes[index];
      if (outcome?.ok !== true) {
        this.#captioned.delete(member);
        const reason = outcome?.message ?? 'it gave no answer';
        throw new MdxError(`The member formatter of ${member.level.uniqueName} failed: ${reason}.`);
      }
      member.caption = String(outcome.value);
    }
  }
}
