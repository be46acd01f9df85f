import { describe, expect, it } from 'vitest';
import { runScriptTask } from './run-task.ts';
import type { ScriptKind, ScriptOutcome, ScriptValue } from './script.ts';

/** Runs the calls of a script, each with its arguments. */
function run(kind: ScriptKind, source: string, ...calls: readonly (readonly ScriptValue[])[]) {
  return runScriptTask({ kind, source, calls: calls.map((args) => ({ name: 'execute', args })) });
}

const execute = (body: string) => `function execute(evaluator, arguments) { ${body} }`;
const value = (of: ScriptValue): ScriptOutcome => ({ ok: true, value: of });

describe('a function', () => {
  it('is called with arguments that it evaluates, and returns their types', async () => {
    const source = `function getParameterTypes() { return new Array(new mondrian.olap.type.NumericType(), new mondrian.olap.type.StringType()); }
      function getReturnType(parameterTypes) { return new mondrian.olap.type.StringType(); }
      function execute(evaluator, arguments) { return twice(arguments[0].evaluateScalar(evaluator)) + arguments[1].evaluate(evaluator); }
      function twice(n) { return 2 * n; }`;
    expect(await run('function', source, [21, ' apples'], [-1, ''])).toEqual([value('42 apples'), value('-2')]);
    expect(await runScriptTask({ kind: 'function', source, calls: [{ name: 'signature', args: [] }] })).toEqual([
      value({ parameters: ['NumericType', 'StringType'], returns: 'StringType' }),
    ]);
  });

  it('returns numbers, also infinite ones, texts, conditions and nothing', async () => {
    const source = execute('return arguments[0].evaluateScalar(evaluator)');
    const values = [1.5, Number.POSITIVE_INFINITY, Number.NaN, 'a', true, null];
    expect(await run('function', source, ...values.map((each) => [each]))).toEqual(values.map(value));
  });
});

describe('a formatter', () => {
  it('of cells formats a value', async () => {
    expect(await run('cell formatter', 'return "<" + value + ">"', [3.5], [null], ['x'])).toEqual([
      value('<3.5>'),
      value('<null>'),
      value('<x>'),
    ]);
  });

  it('of members and properties receives the member with its ancestors', async () => {
    const named = (name: string, parent: ScriptValue) => ({
      name,
      uniqueName: `[Place].[${name}]`,
      caption: name,
      kind: 'stored',
      ordinal: 0,
      level: { name: 'Town', uniqueName: '[Place].[Town]', depth: 2 },
      hierarchy: { name: 'Place', uniqueName: '[Place]' },
      dimension: { name: 'Place', uniqueName: '[Place]' },
      properties: { Size: 7, Note: 'a', note: 'b' },
      parent,
    });
    const rome = named('Rome', named('Lazio', null));
    expect(
      await run(
        'member formatter',
        'return ["size", "Size", "Note", "note", "NOTE"].map((each) => member.getPropertyValue(each)).join()',
        [rome],
      ),
    ).toEqual([value('7,7,a,b,')]);
    expect(
      await run(
        'member formatter',
        'return member.getName() + " in " + member.parentMember.name + member.getLevel().getDepth()',
        [rome],
      ),
    ).toEqual([value('Rome in Lazio2')]);
    expect(
      await run(
        'property formatter',
        'return propertyName + propertyValue + member.getPropertyValue("Size") + member',
        [rome, 'a', 1],
      ),
    ).toEqual([value('a17[Place].[Rome]')]);
  });
});

describe('a script', () => {
  it.each([
    [
      'has no process, modules, files, network or timers',
      'return [typeof process, typeof require, typeof module, typeof fetch, typeof XMLHttpRequest, typeof setTimeout, typeof WebAssembly, typeof java].join()',
      value('undefined,undefined,undefined,undefined,undefined,undefined,undefined,undefined'),
    ],
    [
      'reaches nothing through constructors',
      'return new Function("return typeof process + typeof globalThis.require")() + typeof this.process',
      value('undefinedundefinedundefined'),
    ],
    ['that never ends is stopped', 'for (;;);', { ok: false, message: 'it takes too long' }],
    [
      'that never ends in a pattern is stopped',
      'return /^(a+)+$/.test("a".repeat(60) + "b")',
      { ok: false, message: 'it takes too long' },
    ],
    [
      'that catches what stops it is stopped',
      'for (;;) { try { for (;;); } catch (e) {} finally { continue } }',
      { ok: false, message: 'it takes too long' },
    ],
    [
      'that takes all memory is stopped',
      'let a = []; for (;;) a.push("x".repeat(100000) + a.length)',
      { ok: false, message: 'it takes too much memory' },
    ],
    [
      'that calls itself without end is stopped',
      'return (function f() { return f() + 1 })()',
      { ok: false, message: 'InternalError: stack overflow' },
    ],
    ['that throws is quoted', 'throw new RangeError("too far")', { ok: false, message: 'RangeError: too far' }],
    [
      'that throws what cannot be read fails',
      'throw { get message() { throw 1 }, toString() { for (;;); } }',
      { ok: false, message: 'it says nothing of why' },
    ],
    [
      'that answers a function fails',
      'return function () {}',
      { ok: false, message: 'TypeError: it answers function, which is not a number, text or condition' },
    ],
    ['that answers too much fails', 'return "x".repeat(200000)', { ok: false, message: 'its answer is too long' }],
    [
      'that replaces what it is called with changes nothing',
      'JSON.stringify = () => "[]"; Array.isArray = () => true; return 1',
      value(1),
    ],
  ])(
    '%s',
    async (_, body, expected) => {
      const [outcome] = await run('function', execute(body), []);
      expect(outcome).toMatchObject(expected);
    },
    20_000,
  );

  it('has limited memory, including buffers', async () => {
    const before = process.memoryUsage().rss;
    const [outcome] = await run('function', execute('let a = []; for (;;) a.push(new Uint8Array(1000000))'), []);
    expect(outcome).toEqual({ ok: false, message: 'it takes too much memory' });
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  it('leaves nothing for the next script or in this process', async () => {
    await run(
      'function',
      execute('globalThis.mark = 1; Object.prototype.mark = 1; Array.prototype.map = null; return 1'),
      [],
    );
    expect(await run('function', execute('return typeof mark + typeof [].mark + [1].map(String)'), [])).toEqual([
      value('undefinedundefined1'),
    ]);
    expect(Object.hasOwn(Object.prototype, 'mark')).toBe(false);
  });

  it('that is not JavaScript fails with its position', async () => {
    expect(await run('cell formatter', 'return value +', [1])).toMatchObject([
      { ok: false, message: expect.stringContaining('SyntaxError') },
    ]);
    expect(await run('function', 'var x = 1', [1])).toMatchObject([
      { ok: false, message: 'TypeError: a function script has a function execute(evaluator, arguments)' },
    ]);
    // A script's closing brackets cannot escape from its function.
    expect(await run('cell formatter', 'return 1 }), (function () { return 2', [1])).toMatchObject([{ ok: true }]);
  });

  it('answers the other calls of a task if one fails', async () => {
    expect(await run('cell formatter', 'if (value === 2) throw new Error("two"); return value', [1], [2], [3])).toEqual(
      [value('1'), { ok: false, message: 'Error: two' }, value('3')],
    );
  });
});
