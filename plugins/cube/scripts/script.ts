/** Scripts of a schema: formatters and functions in JavaScript. What they are given and what they answer is plain data. */

/** Says what a script is for, which decides how it is called. */
export type ScriptKind = 'cell formatter' | 'member formatter' | 'property formatter' | 'function';

export interface Script {
  readonly kind: ScriptKind;
  /** JavaScript: of a formatter the body of a function, of a function the functions that it consists of. */
  readonly source: string;
}

/** A value as a script sees it. Infinity and NaN are numbers. */
export type ScriptValue =
  | string
  | number
  | boolean
  | null
  | readonly ScriptValue[]
  | { readonly [name: string]: ScriptValue };

/** Holds the outcome of one call of a script. */
export type ScriptOutcome =
  | { readonly ok: true; readonly value: ScriptValue }
  | { readonly ok: false; readonly message: string };

/** Calls of one script: `execute` with these arguments; or `signature`, which fails where the script is none. */
export interface ScriptTask extends Script {
  readonly calls: readonly ScriptCall[];
}

export interface ScriptCall {
  readonly name: 'execute' | 'signature';
  readonly args: readonly ScriptValue[];
}

/** Declared types of a function's arguments and its answer: names such as `NumericType`. */
export interface ScriptSignature {
  readonly parameters: readonly string[];
  readonly returns: string;
}

/** Runs scripts. One outcome for each call, in their order. */
export interface ScriptRunner {
  run(task: ScriptTask, signal: AbortSignal | undefined): Promise<readonly ScriptOutcome[]>;
}

/** Writes a value so that it survives as JSON: what JSON has no number for is an object of one member. */
export function encodeScriptValue(value: ScriptValue): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : { $number: String(value) };
  if (Array.isArray(value)) return value.map(encodeScriptValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, encodeScriptValue(of)]));
}
