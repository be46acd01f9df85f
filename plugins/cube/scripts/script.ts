/** Scripts of a schema: formatters and functions in JavaScript. Their arguments and results are plain data. */

/** The purpose of a script, which decides how it is called. */
export type ScriptKind = 'cell formatter' | 'member formatter' | 'property formatter' | 'function';

export interface Script {
  readonly kind: ScriptKind;
  /** JavaScript. A formatter is the body of a function; a function consists of several functions. */
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

/** The outcome of one call of a script. */
export type ScriptOutcome =
  | { readonly ok: true; readonly value: ScriptValue }
  | { readonly ok: false; readonly message: string };

/** Calls of one script: `execute` with arguments, or `signature`, which fails if the script is invalid. */
export interface ScriptTask extends Script {
  readonly calls: readonly ScriptCall[];
}

export interface ScriptCall {
  readonly name: 'execute' | 'signature';
  readonly args: readonly ScriptValue[];
}

/** The declared types of a function's arguments and result: names such as `NumericType`. */
export interface ScriptSignature {
  readonly parameters: readonly string[];
  readonly returns: string;
}

/** Runs scripts. Returns one outcome for each call, in their order. */
export interface ScriptRunner {
  run(task: ScriptTask, signal: AbortSignal | undefined): Promise<readonly ScriptOutcome[]>;
}

/** Encodes a value for JSON. Numbers that JSON does not have become an object. */
export function encodeScriptValue(value: ScriptValue): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : { $number: String(value) };
  if (Array.isArray(value)) return value.map(encodeScriptValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, encodeScriptValue(of)]));
}
