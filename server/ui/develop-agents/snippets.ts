/** The settings with which an agent calls this server, with the server's own address. They need no clone of the product. */

export interface AgentSnippet {
  /** The name of the client. */
  readonly client: string;
  /** Where the text belongs. */
  readonly place: 'terminal' | 'file';
  /** The file, or the language of the text. */
  readonly caption: string;
  readonly text: string;
}

/** Stands for the key in the snippets: a variable of the environment, so that no file contains it. */
const KEY = '$API_KEY';

/** @param origin the server with its base path: `https://example.com/analytics` */
export function agentSnippets(origin: string): readonly AgentSnippet[] {
  const url = `${origin}/rest/service/api/mcp`;
  return [
    {
      client: 'Claude Code',
      place: 'terminal',
      caption: 'Terminal',
      text: `claude mcp add --transport http service ${quote(url)} --header "Authorization: Bearer ${KEY}"`,
    },
    {
      client: 'Cursor',
      place: 'file',
      caption: '~/.cursor/mcp.json',
      text: json({ mcpServers: { service: { url, headers: { Authorization: `Bearer \${env:API_KEY}` } } } }),
    },
    {
      client: 'VS Code',
      place: 'file',
      caption: '.vscode/mcp.json',
      text: json({
        inputs: [{ type: 'promptString', id: 'api-key', description: 'API key', password: true }],
        servers: { service: { type: 'http', url, headers: { Authorization: `Bearer \${input:api-key}` } } },
      }),
    },
    {
      client: 'Codex',
      place: 'file',
      caption: '~/.codex/config.toml',
      text: `[mcp_servers.service]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = "API_KEY"`,
    },
    {
      client: 'OpenAI API',
      place: 'file',
      caption: 'Python',
      text: `import os
from openai import OpenAI

answer = OpenAI().responses.create(
    model="gpt-5",
    input="Which models are there?",
    tools=[{
        "type": "mcp",
        "server_label": "service",
        "server_url": ${JSON.stringify(url)},
        "headers": {"Authorization": f"Bearer {os.environ['API_KEY']}"},
        "require_approval": "never",
    }],
)
print(answer.output_text)`,
    },
    {
      client: 'curl',
      place: 'terminal',
      caption: 'Terminal',
      text: `curl ${quote(url)} \\
  -H "Authorization: Bearer ${KEY}" \\
  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    },
  ];
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Quotes a word of a POSIX shell where it contains special characters. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
