import type { Script, ScriptRunner } from '../../scripts/script.ts';
import type { Member } from '../metadata/member.ts';
import { scriptMember } from '../metadata/script-member.ts';
import { MdxError } from '../syntax/errors.ts';

/** Makes the captions of members whose level has a formatter, once for each member. */
export class MemberCaptions {
  readonly #runner: ScriptRunner;
  readonly #made = new WeakSet<Member>();

  constructor(runner: ScriptRunner) {
    this.#runner = runner;
  }

  /**
   * Makes the captions of members that were read, and of the members above them.
   *
   * @throws MdxError where a formatter fails
   */
  async make(members: Iterable<Member>, signal: AbortSignal | undefined): Promise<void> {
    const waiting = new Map<Script, Member[]>();
    for (const member of members) {
      for (let at: Member | undefined = member; at !== undefined && !this.#made.has(at); at = at.treeParent) {
        this.#made.add(at);
        const script = at.kind === 'stored' ? at.level.model?.formatter : undefined;
        if (script === undefined) continue;
        const known = waiting.get(script);
        if (known === undefined) waiting.set(script, [at]);
        else known.push(at);
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
        this.#made.delete(member);
        const reason = outcome?.message ?? 'it gave no answer';
        throw new MdxError(`The member formatter of ${member.level.uniqueName} failed: ${reason}.`);
      }
      member.caption = String(outcome.value);
    }
  }
}
