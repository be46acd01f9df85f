/** Replaces names in the text of a SQL expression. Everything else stays as its author wrote it. */
import { identifier } from '../write/ansi-sql.ts';

/** A name in an expression: `sales.net_amount`, or `net_amount` without a qualifier. */
export interface SqlName {
  readonly qualifier: string | undefined;
  readonly name: string;
  /** True inside the parentheses of an aggregate call. */
  readonly isAggregated: boolean;
}

/** The parts of an expression that matter here: comments, texts, quoted and bare names, parentheses. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|(?<name>"(?:[^"]|"")*"|`[^`]*`|[\p{L}_][\p{L}\p{N}_$]*)|[().]|[0-9][0-9A-Za-z.]*|[^\s]/gu;

const AGGREGATES =
  /^(sum|avg|min|max|count|count_if|countif|median|mode|std\w*|var\w*|percentile\w*|quantile\w*|approx\w*|any_value|first_value|last_value|first|last|list|array_agg|string_agg|corr|covar\w*)$/i;

interface Token {
  readonly text: string;
  readonly start: number;
  readonly isName: boolean;
}

/** @param rename returns the new parts of a name; `undefined` where it stays */
export function renamedSql(
  text: string,
  rename: (name: SqlName) => { readonly qualifier?: string | undefined; readonly name: string } | undefined,
): string {
  const tokens: Token[] = [...text.matchAll(TOKEN)]
    .map((match) => ({ text: match[0], start: match.index, isName: match.groups?.name !== undefined }))
    .filter((token) => !/^(--|\/\*)/.test(token.text));
  const calls: boolean[] = [];
  let written = '';
  let end = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.text === '(') {
      const before = tokens[index - 1];
      calls.push((calls.at(-1) ?? false) || (before?.isName === true && AGGREGATES.test(before.text)));
    } else if (token.text === ')') calls.pop();
    if (!token.isName) continue;
    const chain = [token];
    while (tokens[index + 1]?.text === '.' && tokens[index + 2]?.isName === true) {
      chain.push(tokens[index + 2] as Token);
      index += 2;
    }
    const last = chain.at(-1) ?? token;
    if (chain.length > 2 || tokens[index + 1]?.text === '(') continue;
    const next = rename({
      qualifier: chain.length === 2 ? unquoted(token.text) : undefined,
      name: unquoted(last.text),
      isAggregated: calls.at(-1) ?? false,
    });
    if (next === undefined) continue;
    const names = next.qualifier === undefined ? [next.name] : [next.qualifier, next.name];
    written += text.slice(end, token.start) + names.map(identifier).join('.');
    end = last.start + last.text.length;
  }
  return written + text.slice(end);
}

function unquoted(name: string): string {
  const [first] = name;
  if (first === '"') return name.slice(1, -1).replaceAll('""', '"');
  return first === '`' ? name.slice(1, -1) : name;
}
