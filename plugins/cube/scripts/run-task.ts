/**
 * Runs the calls of a script in QuickJS, an interpreter compiled to WebAssembly. A script sees only the language and
 * its arguments: no files, network, timers, modules, or anything of this process. Each task has its own memory.
 */
import { createRequire } from 'node:module';
import {
  type CustomizeVariantOptions,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { GUEST } from './guest.ts';
import {
  MAX_INTERRUPTS_PER_CALL,
  MAX_INTERRUPTS_PER_TASK,
  MAX_SCRIPT_ANSWER_LENGTH,
  SCRIPT_MEMORY_BYTES,
  SCRIPT_STACK_BYTES,
} from './limits.ts';
import { encodeScriptValue, type ScriptCall, type ScriptOutcome, type ScriptTask, type ScriptValue } from './script.ts';

/** The compiler has types of WebAssembly only for browsers. */
declare const WebAssembly: {
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum: number;
  }) => NonNullable<CustomizeVariantOptions['wasmMemory']>;
};

/** Loads the interpreter. `require`, because the default export of an import has another shape in the built product, which is CommonJS. */
function interpreter(): QuickJSSyncVariant {
  const library: typeof import('@jitl/quickjs-wasmfile-release-sync') = createRequire(import.meta.url)(
    '@jitl/quickjs-wasmfile-release-sync',
  );
  return library.default;
}

/** Runs each call. Returns its result, or the reason of its failure. */
export async function runScriptTask({ kind, source, calls }: ScriptTask): Promise<readonly ScriptOutcome[]> {
  // Each task has its own memory. The memory's maximum limits the script, and nothing remains for the next task.
  const wasmMemory = new WebAssembly.Memory({ initial: MIN_MEMORY_PAGES, maximum: MAX_MEMORY_PAGES });
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(interpreter(), { wasmMemory }));
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: SCRIPT_STACK_BYTES });
  const used = { byCall: 0, byTask: 0 };
  runtime.setInterruptHandler(() => ++used.byCall > MAX_INTERRUPTS_PER_CALL || ++used.byTask > MAX_INTERRUPTS_PER_TASK);
  const restart = (): void => {
    used.byCall = 0;
  };
  return withFunction(runtime.newContext(), kind, source, restart, calls);
}

/** WebAssembly counts memory in pages of 64 KiB. The interpreter starts with this many. */
const PAGE_BYTES = 64 * 1024;
const MIN_MEMORY_PAGES = 256;
const MAX_MEMORY_PAGES = SCRIPT_MEMORY_BYTES / PAGE_BYTES;

function withFunction(
  context: QuickJSContext,
  kind: string,
  source: string,
  restart: () => void,
  calls: readonly ScriptCall[],
): readonly ScriptOutcome[] {
  restart();
  const made = context.evalCode(GUEST, 'guest.js');
  if (made.error !== undefined) return failed(calls, messageOf(context, made.error));
  const [kindHandle, sourceHandle] = [context.newString(kind), context.newString(source)];
  const opened = context.callFunction(made.value, context.undefined, kindHandle, sourceHandle);
  for (const handle of [made.value, kindHandle, sourceHandle]) handle.dispose();
  if (opened.error !== undefined) return failed(calls, messageOf(context, opened.error));
  try {
    return calls.map((call) => {
      restart();
      return outcomeOf(context, opened.value, call);
    });
  } catch (error) {
    // Without memory, the interpreter itself may fail. It is not used again.
    if (!(error instanceof Error)) throw error;
    return failed(calls, 'it takes too much memory');
  } finally {
    opened.value.dispose();
  }
}

type Handle = ReturnType<QuickJSContext['newString']>;

function outcomeOf(context: QuickJSContext, callable: Handle, { name, args }: ScriptCall): ScriptOutcome {
  const handles = [context.newString(name), context.newString(JSON.stringify(args.map(encodeScriptValue)))];
  try {
    const result = context.callFunction(callable, context.undefined, ...handles);
    if (result.error !== undefined) return { ok: false, message: messageOf(context, result.error) };
    const answer = context.getString(result.value);
    result.value.dispose();
    if (answer.length > MAX_SCRIPT_ANSWER_LENGTH) return { ok: false, message: 'its answer is too long' };
    return { ok: true, value: decode(JSON.parse(answer)) };
  } finally {
    for (const handle of handles) handle.dispose();
  }
}

function failed(calls: readonly ScriptCall[], message: string): readonly ScriptOutcome[] {
  return calls.map(() => ({ ok: false, message }));
}

/** Returns the reason of a failure, in the words of the script's error. */
function messageOf(context: QuickJSContext, error: Handle): string {
  try {
    const name = textAt(context, error, 'name');
    const message = textAt(context, error, 'message');
    if (name === 'InternalError' && message === 'interrupted') return 'it takes too long';
    if (name === 'InternalError' && message === 'out of memory') return 'it takes too much memory';
    const said = message === '' ? context.getString(error) : name === '' ? message : `${name}: ${message}`;
    return said === '' ? 'it says nothing of why' : said.slice(0, MAX_MESSAGE_LENGTH);
  } finally {
    error.dispose();
  }
}

const MAX_MESSAGE_LENGTH = 300;

function textAt(context: QuickJSContext, of: Handle, name: string): string {
  if (context.typeof(of) !== 'object') return '';
  const property = context.getProp(of, name);
  try {
    return context.typeof(property) === 'string' ? context.getString(property) : '';
  } finally {
    property.dispose();
  }
}

/** Reads a result. The interpreter wrote the JSON, but its shape is checked nevertheless. */
function decode(answer: unknown): ScriptValue {
  if (typeof answer !== 'object' || answer === null || !('value' in answer)) return null;
  return decodeValue(answer.value);
}

function decodeValue(value: unknown): ScriptValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(decodeValue);
  if (typeof value !== 'object' || value === null) return null;
  if ('$number' in value) return Number(value.$number);
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, decodeValue(of)]));
}
