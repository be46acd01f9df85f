/** Names in formulas: `SUM(sales.net_amount) / order_count`. */
import { nearestFirst } from '../../../router/nearest-names.ts';
import { msg, str } from '../words/words.ts';
import type { ModelDocument } from './model-document.ts';

/** A name in a formula with its place. */
export interface FormulaName {
  /** `sales.net_amount`, or `order_count`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** True before a parenthesis. */
  readonly isCall: boolean;
}

/** Comments, texts and quoted names are skipped; names with a qualifier are one. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<name>[\p{L}_][\p{L}\p{N}_$]*(?:\s*\.\s*[\p{L}_][\p{L}\p{N}_$]*)*)|[0-9][0-9A-Za-z.]*/gu;

export function namesInFormula(formula: string): readonly FormulaName[] {
  return [...formula.matchAll(TOKEN)].flatMap((match) => {
    const name = match.groups?.name;
    if (name === undefined) return [];
    const end = match.index + name.length;
    return [{ text: name.replaceAll(/\s+/g, ''), start: match.index, end, isCall: /^\s*\(/.test(formula.slice(end)) }];
  });
}

/** Replaces a name. A name that ends with a point is the qualifier of others. */
export function renamedFormula(formula: string, from: string, to: string): string {
  let result = '';
  let done = 0;
  for (const { text, start, end } of namesInFormula(formula)) {
    const next = from.endsWith('.')
      ? text.startsWith(from)
        ? `${to}${text.slice(from.length)}`
        : text
      : text === from
        ? to
        : text;
    result += formula.slice(done, start) + (next === text ? formula.slice(start, end) : next);
    done = end;
  }
  return result + formula.slice(done);
}

/** An unknown name with the names that it may mean, the nearest first. */
export interface UnknownName extends FormulaName {
  readonly message: string;
  readonly candidates: readonly string[];
}

/** The most candidates that are offered. */
const MAX_CANDIDATES = 3;

/**
 * Lists the names of a formula that the model does not have. Names without a qualifier may be metrics or words of SQL, so
 * only names with one are judged here; the server checks all.
 */
export function unknownNames(formula: string, { datasets }: Pick<ModelDocument, 'datasets'>): readonly UnknownName[] {
  const names = new Map(datasets.map((dataset) => [dataset.name.toLowerCase(), dataset] as const));
  return namesInFormula(formula).flatMap((name): readonly UnknownName[] => {
    const [qualifier = '', column, ...more] = name.text.split('.');
    if (column === undefined || more.length > 0 || name.isCall) return [];
    const dataset = names.get(qualifier.toLowerCase());
    if (dataset === undefined) {
      const candidates = nearestFirst(
        qualifier,
        datasets.map((each) => each.name),
      ).slice(0, MAX_CANDIDATES);
      const message = msg(str`There is no dataset "${qualifier}".`);
      return [{ ...name, message, candidates: candidates.map((each) => `${each}.${column}`) }];
    }
    // The columns of a query are known to the warehouse only.
    if (dataset.columns === undefined) return [];
    const known = [...new Set([...dataset.fields.map((field) => field.name), ...dataset.columns])];
    if (known.some((each) => each.toLowerCase() === column.toLowerCase())) return [];
    const candidates = nearestFirst(column, known).slice(0, MAX_CANDIDATES);
    const message = msg(str`${dataset.name} has no field "${column}".`);
    return [{ ...name, message, candidates: candidates.map((each) => `${dataset.name}.${each}`) }];
  });
}
