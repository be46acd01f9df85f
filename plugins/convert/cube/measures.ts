/** Converts measures and calculated members to metrics. */

import { type CalculatedMember, type Cube, type Formula, type Measure, parseFormula } from '../../cube/index.ts';
import { ansi, division, ExpressionError, type OsiMetric, qualified, serviceExtension } from '../../semantic/index.ts';
import { present } from '../conversion.ts';
import { freeName, slug } from './names.ts';
import type { SchemaSql } from './schema-sql.ts';
import type { Star } from './star.ts';

type Warn = (line: number, message: string) => void;

/** The reason why an element is left out; `message` continues "left out: ". */
class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

interface Sql {
  readonly text: string;
  /** The dataset with the rows that a `COUNT(*)` counts. */
  readonly counted: string | undefined;
}

/** Writes an aggregate in ANSI SQL. */
function aggregateText(aggregator: Measure['aggregator'], argument: string): string {
  switch (aggregator) {
    case 'sum':
      return `SUM(${argument})`;
    case 'count':
      return `COUNT(${argument})`;
    case 'min':
      return `MIN(${argument})`;
    case 'max':
      return `MAX(${argument})`;
    case 'avg':
      return `AVG(${argument})`;
    case 'distinct-count':
      return `COUNT(DISTINCT ${argument})`;
  }
}

/**
 * Converts the measures of a cube.
 *
 * @param named collects the columns that metrics read, by dataset
 */
export function metricsOf(
  cube: Cube,
  star: Star,
  sql: SchemaSql,
  named: Map<string, Set<string>>,
  warn: Warn,
): readonly OsiMetric[] {
  const measures = cube.measures;
  const calculated = cube.calculatedMembers.filter(({ hierarchy }) => isMeasures(hierarchy));
  const names = new Set<string>();
  const metrics: OsiMetric[] = [];
  for (const measure of measures) if (!measure.isFactCount) attempt(measure, () => ofMeasure(measure));
  for (const member of calculated) attempt(member, () => ofFormula(member, []));
  return metrics;

  function attempt(element: Measure | CalculatedMember, make: () => Sql): void {
    try {
      const { text, counted } = make();
      metrics.push(metricOf(element, text, counted));
    } catch (error) {
      const warningStart = `measure ${element.name}: left out:`;
      if (error instanceof LeftOut) warn(element.line, `${warningStart} ${error.message}.`);
      else if (error instanceof ExpressionError) warn(element.line, `${warningStart} its SQL ${error.message}.`);
      else throw error;
    }
  }

  function metricOf(element: Measure | CalculatedMember, text: string, counted: string | undefined): OsiMetric {
    const { name, caption, description, visible, implied, formatString } = element;
    const called = freeName([slug(name)], (one) => names.has(one));
    names.add(called);
    const hidden = !visible || implied ? true : undefined;
    const format = formatString === undefined ? undefined : patternOf(formatString);
    const extension = serviceExtension({ display: { caption: caption ?? name, format, hidden }, dataset: counted });
    return present({
      name: called,
      description,
      expression: ansi(text),
      ai_context: name.toLowerCase() === called ? undefined : { synonyms: [name] },
      custom_extensions: extension === undefined ? undefined : [extension],
    });
  }

  function ofMeasure({ group, aggregator, expression }: Measure): Sql {
    const facts = star.fact(group);
    if (expression === undefined) {
      const [base] = facts.values();
      return { text: 'COUNT(*)', counted: base?.name };
    }
    const argument = sql.expression(expression, (table, column) => {
      const dataset = facts.get(table);
      if (dataset === undefined)
        throw new ExpressionError(`reads ${table}.${column}, which is not a column of its facts`);
      named.set(dataset.name, (named.get(dataset.name) ?? new Set()).add(column));
      return qualified(dataset.name, column);
    });
    if (argument === undefined) throw new LeftOut('its SQL is given for no dialect that is read here');
    return { text: aggregateText(aggregator, argument), counted: undefined };
  }

  /**
   * Writes the SQL of a calculated member.
   *
   * @param within names of the calculated members that use it
   */
  function ofFormula(member: CalculatedMember, within: readonly string[]): Sql {
    if (within.includes(member.name)) throw new LeftOut('it is computed from itself');
    const parts: Sql[] = [];
    const text = write(parsed(member.formula));
    const counted = [...new Set(parts.flatMap((part) => part.counted ?? []))];
    if (counted.length > 1) throw new LeftOut(`it counts rows of ${counted.join(' and ')}`);
    if (parts.length === 0) throw new LeftOut('it reads no measure');
    return { text, counted: counted[0] };

    function write(formula: Formula): string {
      switch (formula.kind) {
        case 'number':
          return String(formula.value);
        case 'identifier': {
          const part = measureNamed(formula, [...within, member.name]);
          parts.push(part);
          return part.text;
        }
        case 'call': {
          const [left, right] = formula.args;
          if (formula.syntax === 'parentheses' && left !== undefined && right === undefined) return `(${write(left)})`;
          if (formula.syntax === 'prefix' && formula.name === '-' && left !== undefined) return `-(${write(left)})`;
          if (formula.syntax === 'infix' && left !== undefined && right !== undefined) {
            if (formula.name === '/') return division(write(left), write(right));
            if (['+', '-', '*'].includes(formula.name)) return `(${write(left)} ${formula.name} ${write(right)})`;
          }
        }
      }
      throw new LeftOut('it is more than arithmetic over measures');
    }
  }

  function measureNamed({ segments }: Extract<Formula, { kind: 'identifier' }>, within: readonly string[]): Sql {
    const path = segments.map((segment) => (segment.kind === 'name' ? segment.name : ''));
    const name = path.at(-1) ?? '';
    if (path.length === 2 && fold(path[0] ?? '') === 'measures') {
      const measure = measures.find((one) => fold(one.name) === fold(name));
      if (measure !== undefined) return ofMeasure(measure);
      const member = calculated.find((one) => fold(one.name) === fold(name));
      if (member !== undefined) return inner(member, within);
    }
    throw new LeftOut('it is more than arithmetic over measures');
  }

  function inner(member: CalculatedMember, within: readonly string[]): Sql {
    try {
      const { text, counted } = ofFormula(member, within);
      return { text: `(${text})`, counted };
    } catch (error) {
      if (error instanceof LeftOut) throw new LeftOut(`${member.name}, which it needs, is left out: ${error.message}`);
      throw error;
    }
  }
}

function parsed(formula: string): Formula {
  try {
    return parseFormula(formula);
  } catch (error) {
    // The reader of schemas does not parse formulas, so the converter reports formulas that cannot be parsed.
    throw new LeftOut(`its formula cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function isMeasures(hierarchy: string): boolean {
  return fold(hierarchy.replace(/^\[|\]$/g, '')) === 'measures';
}

function fold(name: string): string {
  return name.toLowerCase();
}

/** Converts named formats to patterns; a format with conditional parts has no pattern. */
function patternOf(format: string): string | undefined {
  if (/^currency$/i.test(format)) return '$#,##0.00';
  if (/^percent$/i.test(format)) return '0.00%';
  if (/^(standard|general.*)$/i.test(format)) return undefined;
  return /^[^;|#0]*[#0,]+(\.[#0]+)?[^;|#0]*$/.test(format) ? format : undefined;
}
