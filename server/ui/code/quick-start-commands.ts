/** The three commands of the quick start, for a POSIX shell. The password is asked for, so that no history keeps it. */

export interface QuickStartOptions {
  /** This server's origin: `https://example.com`. */
  readonly origin: string;
  readonly user: string;
  /**
   * Path of a saved query that exists here. Undefined when there is no demo: then names stand in that are to be
   * replaced.
   */
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
const OWN_REQUEST = {
  connection: 'CONNECTION',
  model: 'MODEL',
  rows: [{ dataset: 'DATASET', field: 'FIELD' }],
  values: [{ metric: 'METRIC' }],
};

export function quickStart({ origin, user, queryPath }: QuickStartOptions): readonly [Command, Command, Command] {
  const api = `${origin}/rest/service/api`;
  const as = `curl -u ${quoteShellWord(user)}`;
  const json = `-H 'Content-Type: application/json'`;
  const own = queryPath === undefined;
  return [
    {
      title: 'List the models',
      note: `curl asks for the password and keeps the CSRF cookie in ${COOKIES} for the next command.`,
      text: joinLines(`${as} -c ${COOKIES}`, quoteShellWord(`${api}/ai/semantic/models`)),
    },
    {
      title: 'Run a semantic query',
      note: own
        ? 'Replace the capitals with names that the first command lists. No SQL: a wrong name is answered with the right ones.'
        : 'No SQL: a wrong name is answered with the right ones.',
      text: joinLines(
        `${as} -b ${COOKIES}`,
        `-H "X-XSRF-TOKEN: $(awk '$6 == "XSRF-TOKEN" { print $7 }' ${COOKIES})"`,
        json,
        `-d ${quoteShellWord(formatJson(own ? OWN_REQUEST : DEMO_REQUEST))}`,
        quoteShellWord(`${api}/ai/semantic/query`),
      ),
    },
    {
      title: 'Mint an embed token',
      note: 'The answer shows the token once. Give it to the element as its token attribute.',
      text: joinLines(
        as,
        json,
        `-d ${quoteShellWord(formatJson({ resourceKind: 'query', resourcePath: queryPath ?? 'shared/PATH.service', ttlHours: 24, label: 'quick start' }))}`,
        quoteShellWord(`${api}/embed/tokens`),
      ),
    },
  ];
}

/** Writes JSON with one member a line, set below the option that it belongs to. */
function formatJson(of: object): string {
  const members = Object.entries(of).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${members.join(',\n')}\n  }`;
}

function joinLines(...parts: readonly string[]): string {
  return parts.join(' \\\n  ');
}

/** Writes one word of a POSIX shell: as it is where nothing in it is special, else between single quotes. */
export function quoteShellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
