/** The same query as a call: for a shell, TypeScript, Python and an agent, and as an embed. */
import { quoteShellWord } from '../code/quick-start-commands.ts';
import { CUBE, SEMANTIC } from './requests.ts';
import type { Draft } from './state/draft.ts';
import type { JsonObject } from './state/json-value.ts';
import { toRequest } from './state/typed-request.ts';

export interface Snippet {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the calls that ask for a draft. Each reads the API key from the environment.
 *
 * @param origin address of this server
 */
export function snippetsOf(draft: Draft, origin: string, language: string): readonly Snippet[] {
  const request = toRequest(draft);
  const isCube = draft.source.surface === 'cube';
  const url = `${origin}${isCube ? CUBE : SEMANTIC}/query`;
  const json = JSON.stringify(request, undefined, 2);
  return [
    { name: 'curl', text: curl(url, json) },
    { name: 'TypeScript', text: typeScript(url, json) },
    { name: 'Python', text: python(url, request) },
    { name: 'MCP', text: mcp(isCube, request) },
    { name: 'Embed', text: embed(origin, draft, language) },
  ];
}

function curl(url: string, json: string): string {
  return `curl ${quoteShellWord(url)} \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoteShellWord(json)}`;
}

function typeScript(url: string, json: string): string {
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.API_KEY}\`, 'Content-Type': 'application/json' },
  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),
});
if (!response.ok) throw new Error(await response.text());
const answer = await response.json();`;
}

function python(url: string, request: JsonObject): string {
  return `import json, os, urllib.request

query = json.loads(r"""${JSON.stringify(request, undefined, 2).replaceAll('"""', '\\u0022\\u0022\\u0022')}""")
request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps(query).encode(),
    headers={"Authorization": f"Bearer {os.environ['API_KEY']}", "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)`;
}

function mcp(isCube: boolean, request: JsonObject): string {
  const name = isCube ? 'run_query' : 'run_semantic_query';
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: request } };
  return JSON.stringify(call, undefined, 2);
}

/** An embed shows a saved query, so its path is open until the query is saved. */
function embed(origin: string, { view }: Draft, language: string): string {
  const { render = 'table', mode } = view;
  const kind = mode === undefined ? '' : `\n  mode="${mode}"`;
  return `<script src="${origin}/ui/service-embed.js" defer></script>
<service-embed
  server="${origin}"
  path="shared/YOUR-SAVED-QUERY.service"
  token="YOUR-TOKEN"
  render="${render}"${kind}
  locale="${language}"
></service-embed>`;
}
