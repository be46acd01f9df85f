import { MAX_OPERATIONS } from '../limits.ts';
import { valueNamed } from '../metadata/name-matching.ts';
import type { Call, CallSyntax, Expression, Identifier, Segment, SetAlias } from '../syntax/ast.ts';
import { MdxError, MdxLimitError } from '../syntax/errors.ts';
import { nearest } from '../syntax/nearest-candidates.ts';
import { parseExpressionText } from '../syntax/parse-statement.ts';
import { unparseSegments } from '../syntax/unparse.ts';
import {
  type Calc,
  constantMember,
  constantValue,
  dimensionCalc,
  hierarchyCalc,
  levelCalc,
  type MemberCalc,
  NOTHING,
  placeholderCalc,
  type SetCalc,
  setCalc,
} from './calc.ts';
import { compileCase, compileCast } from './case-and-cast.ts';
import { braces, parentheses } from './constructors.ts';
import { setOf } from './conversions.ts';
import { elementOf, NUMERIC, STRING, typeName } from './expression-types.ts';
import { type Element, lookUp, lookUpMember } from './look-up-name.ts';
import { nameCandidates } from './name-candidates.ts';
import { chooseOverload, convertArguments, isScalarKind, parameterAt } from './overload.ts';
import type { BuildContext, FunctionDefinition, FunctionTable, Scope } from './scope.ts';
import { usage } from './usage.ts';

/**
 * Compiles parsed expressions to calculations. Resolves names and chooses functions by the kinds of their arguments.
 */
export class Compiler {
  readonly #scope: Scope;
  readonly #context: BuildContext;
  #depth = 0;

  constructor(scope: Scope, isText = false) {
    this.#scope = scope;
    // Texts may come from the caller, even if a formula of the schema builds them.
    const texts = isText ? this : new Compiler(scope.forQuery(), true);
    this.#context = { scope, isText, compileText: (text) => texts.compile(parseExpressionText(text)) };
  }

  /**
   * Compiles an expression. With `isValue`, the result is used as a value. Then `*` multiplies; elsewhere it may build
   * tuples.
   */
  compile(expression: Expression, isValue = false): Calc {
    if (this.#depth >= MAX_OPERATIONS) {
      throw new MdxLimitError(
        `An expression has more than ${MAX_OPERATIONS} operations in a row.`,
        expression.position,
      );
    }
    this.#depth++;
    try {
      return this.#compile(expression, isValue);
    } finally {
      this.#depth--;
    }
  }

  #compile(expression: Expression, isValue: boolean): Calc {
    switch (expression.kind) {
      case 'number':
        return constantValue(NUMERIC, expression.value);
      case 'string':
        return constantValue(STRING, expression.value);
      case 'null':
        return placeholderCalc({ kind: 'null' });
      case 'empty':
        return placeholderCalc({ kind: 'empty' });
      case 'identifier':
        return this.#identifier(expression);
      case 'alias':
        return this.#aliased(expression);
      case 'case':
        return compileCase(
          expression.value === undefined ? undefined : this.compile(expression.value, true),
          expression.branches.map(({ when, result }) => ({
            when: this.compile(when, true),
            result: this.compile(result, isValue),
          })),
          expression.otherwise === undefined ? undefined : this.compile(expression.otherwise, isValue),
          expression.position,
        );
      case 'cast':
        return compileCast(this.compile(expression.value, true), expression.type, expression.position);
      case 'call':
        return this.#call(expression, isValue);
    }
  }

  #call(call: Call, isValue: boolean): Calc {
    if (call.syntax === 'braces') {
      return braces(
        call.args.map((arg) => this.#argument(arg, false)),
        call.position,
      );
    }
    if (call.syntax === 'parentheses') {
      const isOne = call.args.length === 1;
      const args = call.args.map((arg) => this.#argument(arg, isOne && isValue));
      const { ofParentheses } = this.#scope.functions;
      const hasSet = !isOne && !isValue && args.some(({ type }) => type.kind === 'set');
      return hasSet && ofParentheses !== undefined
        ? this.#apply('function', ofParentheses.name, args, call, [ofParentheses])
        : parentheses(args, call.position);
    }
    const named = this.#definitions(call.syntax, call.name);
    const candidates = isValue ? named.filter(({ yieldsToValue }) => yieldsToValue !== true) : named;
    const args = call.args.map((arg, index) => this.#argument(arg, wantsValue(candidates, index, isValue)));
    return this.#apply(call.syntax, call.name, args, call, candidates);
  }

  /** Compiles an argument. It may be a symbol such as DESC. */
  #argument(expression: Expression, isValue: boolean): Calc {
    if (expression.kind === 'identifier' && expression.segments.length === 1) {
      const [segment] = expression.segments;
      if (segment.kind === 'name' && !segment.quoted) {
        const name = segment.name.toUpperCase();
        const declared =
          valueNamed<unknown>(this.#scope.sets, segment.name) !== undefined ||
          valueNamed<unknown>(this.#scope.aliases, segment.name) !== undefined;
        if (this.#scope.functions.symbols.has(name) && !declared) return placeholderCalc({ kind: 'symbol', name });
      }
    }
    return this.compile(expression, isValue);
  }

  #apply(
    syntax: CallSyntax,
    name: string,
    args: readonly Calc[],
    at: Expression,
    candidates = this.#definitions(syntax, name),
  ): Calc {
    const chosen = chooseOverload(candidates, args);
    if (chosen === undefined) throw noFunction(this.#scope.functions, syntax, name, args, at);
    const { definition } = chosen;
    try {
      return { ...definition.build(this.#context, ...convertArguments(definition, chosen.args)), call: definition };
    } catch (error) {
      throw located(error, at);
    }
  }

  #definitions(syntax: CallSyntax, name: string): readonly FunctionDefinition[] {
    return overloadsOf(this.#scope.functions, name).filter((definition) => definition.syntax === syntax);
  }

  #identifier({ segments, position }: Identifier): Calc {
    const split = segments.findIndex(
      (segment, index) =>
        index > 0 &&
        segment.kind === 'name' &&
        !segment.quoted &&
        this.#scope.functions.propertyNames.has(segment.name.toUpperCase()),
    );
    const end = split < 0 ? segments.length : split;
    let calc = this.#name(segments.slice(0, end), { kind: 'identifier', segments, position });
    for (const segment of segments.slice(end)) {
      const name = segment.kind === 'name' ? segment.name : '&';
      calc = this.#apply('property', name, [calc], { kind: 'identifier', segments, position });
    }
    return calc;
  }

  #name(segments: readonly Segment[], at: Identifier): Calc {
    const [first] = segments;
    if (segments.length === 1 && first?.kind === 'name') {
      const { aliases, sets } = this.#scope;
      const { name } = first;
      const [alias, set] = [valueNamed(aliases, name), valueNamed(sets, name)];
      if (alias !== undefined && (aliases.has(name) || !sets.has(name))) return alias;
      if (set !== undefined) return set.calc();
    }
    const element = lookUp(this.#scope, segments);
    if (element === undefined) {
      throw new MdxError(
        `MDX object '${unparseSegments(at.segments)}' not found in cube '${this.#scope.cube.name}'`,
        at.position,
        nameCandidates(this.#scope, at.segments),
      );
    }
    return elementCalc(element, () => {
      const member = segments.length === 1 ? undefined : lookUpMember(this.#scope, segments);
      return member === undefined ? undefined : constantMember(member);
    });
  }

  #aliased(expression: SetAlias): Calc {
    try {
      return this.#alias(expression.name, this.compile(expression.value));
    } catch (error) {
      throw located(error, expression);
    }
  }

  #alias(name: string, value: Calc): Calc {
    if (value.type.kind !== 'set' && elementOf(value.type) === undefined) {
      throw new MdxError(`Only a set can be given a name with AS; '${name}' is for ${typeName(value.type)}.`);
    }
    const calc = withCursor(name, setCalc({ kind: 'set', element: elementOf(value.type) }, [value], setOf(value)));
    this.#scope.aliases.set(name, calc);
    return calc;
  }
}

function overloadsOf({ byName }: FunctionTable, name: string): readonly FunctionDefinition[] {
  return byName.get(name.toUpperCase()) ?? [];
}

/**
 * Returns whether all candidates use the argument as a value. The alternatives of functions such as IIf are values if
 * the whole call is.
 */
function wantsValue(candidates: readonly FunctionDefinition[], index: number, isValue: boolean): boolean {
  const kinds = candidates.flatMap(({ parameters }) => parameterAt(parameters, index)?.kind ?? []);
  if (kinds.length === 0) return false;
  return kinds.every((kind) => isScalarKind(kind) || kind === 'key' || (kind === 'any' && isValue));
}

/** Returns a set with a cursor, so that expressions can read the position of an iteration over it. */
export function withCursor(name: string, calc: SetCalc): SetCalc {
  return { ...calc, cursor: { name } };
}

function elementCalc(element: Element, namesake: () => MemberCalc | undefined): Calc {
  switch (element.kind) {
    case 'dimension': {
      const { dimension } = element;
      return dimensionCalc(dimension, [], () => dimension);
    }
    case 'hierarchy': {
      const { hierarchy } = element;
      return { ...hierarchyCalc(hierarchy, [], () => hierarchy), namesake };
    }
    case 'level': {
      const { level } = element;
      const calc = levelCalc(level.hierarchy, [], () => level);
      return { ...calc, namesake, dependsOn: NOTHING, type: { kind: 'level', hierarchy: level.hierarchy, level } };
    }
    case 'member':
      return constantMember(element.member);
  }
}

function noFunction(
  functions: FunctionTable,
  syntax: CallSyntax,
  name: string,
  args: readonly Calc[],
  at: Expression,
): MdxError {
  const types = args.map(({ type }) => typeName(type));
  const [first = '', second = ''] = types;
  const forms: Readonly<Record<CallSyntax, string>> = {
    function: `${name}(${types.join(', ')})`,
    method: `${first}.${name}(${types.slice(1).join(', ')})`,
    property: `${first}.${name}`,
    infix: `${first} ${name} ${second}`,
    prefix: `${name} ${first}`,
    postfix: `${first} ${name}`,
    braces: `{${types.join(', ')}}`,
    parentheses: `(${types.join(', ')})`,
  };
  const overloads = overloadsOf(functions, name);
  const isKnown = overloads.length > 0;
  const hint = isKnown ? '' : ` (there is no function ${name})`;
  const available = isKnown ? overloads.map(usage) : nearest(name, functions.names, 5);
  return located(new MdxError(`No function matches signature '${forms[syntax]}'${hint}`, undefined, available), at);
}

/** Adds the position in the query to an error that has none. */
function located<E>(error: E, { position }: Expression): E {
  if (error instanceof MdxError) error.position ??= position;
  return error;
}
