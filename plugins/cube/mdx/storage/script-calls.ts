import { MAX_SCRIPT_CALLS } from '../../scripts/limits.ts';
import {
  encodeScriptValue,
  type Script,
  type ScriptCall,
  type ScriptOutcome,
  type ScriptRunner,
  type ScriptSignature,
  type ScriptValue,
} from '../../scripts/script.ts';
import { DataNotLoaded } from '../loading/data-not-loaded.ts';
import type { Value } from '../metadata/value.ts';
import { MdxEvaluationError, MdxLimitError } from '../syntax/errors.ts';

/**
 * Runs the scripts that one query needs. A missing script result is treated as missing data: the evaluation goes on
 * without it, all missing calls run together in another thread, and the evaluation is repeated.
 */
export class ScriptCalls {
  readonly #runner: ScriptRunner;
  readonly #cellFormatters = new Map<string, Script>();
  readonly #outcomes = new Map<Script, Map<string, ScriptOutcome>>();
  #count = 0;

  constructor(runner: ScriptRunner) {
    this.#runner = runner;
  }

  /**
   * Returns the result of a script. Each set of arguments is computed once.
   *
   * @param what names the script in errors
   * @throws DataNotLoaded until the script has run
   * @throws MdxEvaluationError if the script failed
   */
  call(script: Script, what: string, args: readonly ScriptValue[]): Value {
    const value = this.#answer(script, what, { name: 'execute', args });
    return typeof value === 'object' ? null : value;
  }

  /** Formats a value with a cell formatter, given by its source. Throws as `call` does. */
  formattedCell(source: string, value: ScriptValue): string {
    let script = this.#cellFormatters.get(source);
    if (script === undefined) {
      script = { kind: 'cell formatter', source };
      this.#cellFormatters.set(source, script);
    }
    return String(this.call(script, 'The cell formatter', [value]) ?? '');
  }

  /** Returns the types of a function's parameters and result. Throws as `call` does. */
  signature(script: Script, what: string): ScriptSignature {
    const answer = this.#answer(script, what, { name: 'signature', args: [] });
    const of = typeof answer === 'object' && answer !== null && !isList(answer) ? answer : {};
    const { parameters = null, returns } = of;
    const names = isList(parameters) ? parameters.map(String) : [];
    return { parameters: names, returns: typeof returns === 'string' ? returns : 'ScalarType' };
  }

  #answer(script: Script, what: string, call: ScriptCall): ScriptValue {
    const key = JSON.stringify([call.name, call.args.map(encodeScriptValue)]);
    const outcome = this.#outcomes.get(script)?.get(key);
    if (outcome === undefined) throw this.#notCalled(script, key, call);
    if (outcome.ok) return outcome.value;
    throw new MdxEvaluationError(`${what} failed: ${outcome.message}.`);
  }

  #notCalled(script: Script, key: string, call: ScriptCall): DataNotLoaded {
    let entry = this.#waiting.get(script);
    if (entry === undefined) {
      entry = { id: this.#waiting.size, calls: new Map() };
      this.#waiting.set(script, entry);
    }
    if (!entry.calls.has(key) && ++this.#count > MAX_SCRIPT_CALLS)
      throw new MdxLimitError(`The query needs more than ${MAX_SCRIPT_CALLS} calls of the schema's scripts.`);
    entry.calls.set(key, call);
    const waiting = entry;
    return DataNotLoaded.inBatch({
      key: `script ${entry.id}`,
      item: key,
      load: async (_, signal) => {
        const calls = [...waiting.calls];
        waiting.calls.clear();
        if (calls.length === 0) return;
        const outcomes = await this.#runner.run({ ...script, calls: calls.map(([, each]) => each) }, signal);
        const answers = this.#outcomes.get(script) ?? new Map<string, ScriptOutcome>();
        for (const [index, [of]] of calls.entries())
          answers.set(of, outcomes[index] ?? { ok: false, message: 'it gave no answer' });
        this.#outcomes.set(script, answers);
      },
    });
  }

  readonly #waiting = new Map<Script, { readonly id: number; readonly calls: Map<string, ScriptCall> }>();
}

function isList(value: ScriptValue): value is readonly ScriptValue[] {
  return Array.isArray(value);
}
