/**
 * The three commands of the quick start, for a POSIX shell. curl asks for the password, so that no history contains it.
 */

import { msg, str } from '../words/words.ts';

export interface QuickStartOptions {
  /** This server's origin: `https://example.com`. */
  readonly origin: string;
  readonly user: string;
  /** Path of a saved query on this server. Undefined without the demo; the commands then contain placeholders. */
  readonly queryPath: string | undefined;
}

export interface Command {
  readonly title: string;
  readonly note: string;
  readonly text: string;
}

const COOKIES = 'service-cookies.txt';
const DEMO_REQUEST = {
  connection: 'demo',
  model: 'shop',
  rows: [{ dataset: 'stores', field: 'region' }],
  values: [{ metric: 'net_sales' }],
};
const PLACEHOLDER_REQUEST = {
  connection: 'CONNECTION',
  model: 'MODEL',
  rows: [{ dataset: 'DATASET', field: 'FIELD' }],
  values: [{ metric: 'METRIC' }],
};

export function writeQuickStart({ origin, user, queryPath }: QuickStartOptions): readonly [Command, Command, Command] {
  const api = `${origin}/rest/service/api`;
  const curl = `curl -u ${quoteShellWord(user)}`;
  const json = `-H 'Content-Type: application/json'`;
  const hasPlaceholders = queryPath === undefined;
  return [
    {
      title: msg('List the models'),
      note: msg(str`curl asks for your password and saves the CSRF cookie in ${COOKIES} for the next command.`),
      text: joinLines(`${curl} -c ${COOKIES}`, quoteShellWord(`${api}/ai/semantic/models`)),
    },
    {
      title: msg('Run a semantic query'),
      note: hasPlaceholders
        ? msg(
            'Replace the words in capitals with names from the first command. You write no SQL, and the error for a wrong name lists the valid ones.',
          )
        : msg('You write no SQL, and the error for a wrong name lists the valid ones.'),
      text: joinLines(
        `${curl} -b ${COOKIES}`,
        `-H "X-XSRF-TOKEN: $(awk '$6 == "XSRF-TOKEN" { print $7 }' ${COOKIES})"`,
        json,
        `-d ${quoteShellWord(formatJson(hasPlaceholders ? PLACEHOLDER_REQUEST : DEMO_REQUEST))}`,
        quoteShellWord(`${api}/ai/semantic/query`),
      ),
    },
    {
      title: msg('Create an embed token'),
      note: msg('The response shows the token only once. Set it as the token attribute of the element.'),
      text: joinLines(
        curl,
        json,
        `-d ${quoteShellWord(formatJson({ resourceKind: 'query', resourcePath: queryPath ?? 'shared/PATH.service', ttlHours: 24, label: 'quick start' }))}`,
        quoteShellWord(`${api}/embed/tokens`),
      ),
    },
  ];
}

/** Writes JSON with one member per line, indented below its option. */
function formatJson(body: object): string {
  const members = Object.entries(body).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${members.join(',\n')}\n  }`;
}

function joinLines(...parts: readonly string[]): string {
  return parts.join(' \\\n  ');
}

/** Quotes a word of a POSIX shell where it contains special characters. */
export function quoteShellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
