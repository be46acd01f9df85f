/**
 * The JavaScript that runs beside a script, inside of the interpreter. It makes what scripts of cube schemas expect: types such as
 * `mondrian.olap.type.NumericType`, members with `getName()`, arguments with `evaluateScalar()`.
 */
export const GUEST = String.raw`(function (kind, source) {
  'use strict';
  const typeNames = ['NumericType', 'IntegerType', 'DecimalType', 'StringType', 'BooleanType', 'DateTimeType', 'ScalarType',
    'MemberType', 'SetType', 'TupleType', 'LevelType', 'HierarchyType', 'DimensionType'];
  const type = {};
  for (const name of typeNames) {
    type[name] = class { constructor() { this.typeName = name; } toString() { return name; } };
    type[name].Unknown = new type[name]();
  }
  const olap = { type, Syntax: { Function: 'Function', Property: 'Property', Method: 'Method' } };
  globalThis.mondrian = { olap };
  globalThis.Packages = { mondrian: globalThis.mondrian };

  const stringify = JSON.stringify, parse = JSON.parse, text = String, isArray = Array.isArray, isFinite = Number.isFinite;

  /** Gives each field a method as well: name, getName(). */
  function bean(fields, more) {
    const made = {};
    for (const name of Object.keys(fields)) {
      made[name] = fields[name];
      made['get' + name[0].toUpperCase() + name.slice(1)] = function () { return fields[name]; };
    }
    return Object.assign(made, more);
  }
  function member(of) {
    if (of === null) return null;
    const hierarchy = bean(of.hierarchy, { toString() { return of.hierarchy.uniqueName; } });
    const level = bean(Object.assign({ hierarchy }, of.level), { toString() { return of.level.uniqueName; } });
    return bean(
      { name: of.name, uniqueName: of.uniqueName, caption: of.caption, ordinal: of.ordinal, depth: of.level.depth,
        level, hierarchy, dimension: bean(of.dimension), parentMember: member(of.parent) },
      {
        isAll() { return of.kind === 'all'; },
        isMeasure() { return of.kind === 'measure'; },
        isCalculated() { return of.kind === 'calculated'; },
        getPropertyValue(name) {
          const names = Object.keys(of.properties);
          const called = names.includes(text(name))
            ? [text(name)]
            : names.filter((each) => each.toLowerCase() === text(name).toLowerCase());
          return called.length === 1 ? of.properties[called[0]] : null;
        },
        toString() { return of.uniqueName; },
      },
    );
  }
  function decoded(value) {
    if (isArray(value)) return value.map(decoded);
    if (typeof value !== 'object' || value === null) return value;
    if (value.$number !== undefined) return Number(value.$number);
    return member(value);
  }
  function argument(value) {
    const get = function () { return value; };
    return { evaluate: get, evaluateScalar: get, getValue: get, toString() { return text(value); } };
  }
  function asText(value) { return value === null || value === undefined ? '' : text(value); }
  function asValue(value) {
    if (value === undefined || value === null) return null;
    const plain = value instanceof Number || value instanceof String || value instanceof Boolean ? value.valueOf() : value;
    if (typeof plain === 'number') return isFinite(plain) ? plain : { $number: text(plain) };
    if (typeof plain === 'string' || typeof plain === 'boolean') return plain;
    throw new TypeError('it answers ' + (typeof plain) + ', which is not a number, text or condition');
  }
  function typeName(of) {
    if (typeof of === 'object' && of !== null && typeNames.includes(of.typeName)) return of.typeName;
    throw new TypeError('a type is one of mondrian.olap.type: ' + typeNames.join(', '));
  }

  let call;
  if (kind === 'function') {
    const functions = (0, eval)('(function () {' + source + '\n;return {' +
      ['execute', 'getParameterTypes', 'getReturnType'].map((name) => name + ': typeof ' + name + ' === "function" ? ' + name + ' : undefined').join(',') +
      '}; })')();
    if (functions.execute === undefined) throw new TypeError('a function script has a function execute(evaluator, arguments)');
    call = function (name, args) {
      if (name === 'execute') return asValue(functions.execute.call(undefined, Object.freeze({}), args.map((each) => argument(decoded(each)))));
      const parameters = functions.getParameterTypes === undefined ? [] : Array.from(functions.getParameterTypes.call(undefined)).map(typeName);
      const returns = functions.getReturnType === undefined ? 'ScalarType' : typeName(functions.getReturnType.call(undefined, []));
      return { parameters, returns };
    };
  } else {
    const names = { 'cell formatter': 'value', 'member formatter': 'member', 'property formatter': 'member, propertyName, propertyValue' }[kind];
    const formatter = (0, eval)('(function (' + names + ') {' + source + '\n})');
    call = function (name, args) { return name === 'signature' ? '' : asText(formatter.apply(undefined, args.map(decoded))); };
  }
  return function (name, args) { return stringify({ value: call(name, parse(args)) }); };
})`;
