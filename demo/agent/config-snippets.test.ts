/** Tests the configurations of docs/guide/agents.md unchanged. */
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type AskingProduct, startAsking } from '../testing/asking.ts';

const DOCS = readFileSync(new URL('../../docs/guide/agents.md', import.meta.url), 'utf8');

let product: AskingProduct;
beforeAll(async () => {
  product = await startAsking({ provider: '' });
});
afterAll(() => product?.stop());

/** Returns the code of a section, by the language of its block. */
function readCode(section: string, language: string): readonly string[] {
  const [, text = ''] = DOCS.split(`\n### ${section}\n`);
  const introduction = text.split(/\n##+ /)[0] ?? '';
  return [...introduction.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  );
}

const Remote = z.object({ url: z.string(), headers: z.record(z.string(), z.string()) });
const readRemote = (json: string) => {
  const { mcpServers, servers } = z
    .object({ mcpServers: z.record(z.string(), z.unknown()), servers: z.record(z.string(), z.unknown()) })
    .partial()
    .parse(JSON.parse(json));
  return Remote.parse((mcpServers ?? servers)?.service);
};

/** Signs in like the snippet, with the key in place of the client's variable, and counts the tools. */
async function toolsBy({ url, headers }: z.output<typeof Remote>): Promise<number> {
  const key = product.authorization.replace('Bearer ', '');
  const written = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/\$\{[^}]*\}|\$\w+/, key)]),
  );
  const address = new URL(new URL(url).pathname, product.url);
  const client = new Client({ name: 'docs', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers: written } }));
  try {
    return (await client.listTools()).tools.length;
  } finally {
    await client.close();
  }
}

test.each([
  ['Claude', () => readRemote(readCode('Claude', 'json')[0] ?? '')],
  [
    'Claude Code',
    () => {
      const [, url = '', name = '', value = ''] =
        /http service (\S+) --header "([^:]+): ([^"]+)"/.exec(readCode('Claude', 'sh')[1] ?? '') ?? [];
      return { url, headers: { [name]: value } };
    },
  ],
  ['Cursor', () => readRemote(readCode('Cursor', 'json')[0] ?? '')],
  ['VS Code', () => readRemote(readCode('VS Code', 'json')[0] ?? '')],
  [
    'the Responses API',
    () => {
      const [python = ''] = readCode('ChatGPT and OpenAI', 'python');
      const [, url = ''] = /"server_url": "([^"]+)"/.exec(python) ?? [];
      expect(python).toContain('"headers": {"Authorization": f"Bearer {os.environ[\'API_KEY\']}"}');
      return { url, headers: { Authorization: 'Bearer $API_KEY' } };
    },
  ],
  [
    'Codex',
    () => {
      const [toml = ''] = readCode('ChatGPT and OpenAI', 'toml');
      const [, url = ''] = /^url = "([^"]+)"$/m.exec(toml) ?? [];
      expect(toml).toContain('bearer_token_env_var = "API_KEY"');
      return { url, headers: { Authorization: 'Bearer $API_KEY' } };
    },
  ],
])('%s reaches all tools by its configuration', async (_, configured) => {
  expect(await toolsBy(configured())).toBe(24);
});

test('an agent with a browser gets the same address without a key', () => {
  const [alone = '', withKey = ''] = readCode('Claude', 'sh');
  expect(withKey.startsWith(`${alone.trimEnd()} --header `)).toBe(true);
});

test('Claude Desktop starts a command that exists', () => {
  const { mcpServers } = JSON.parse(readCode('Claude', 'json')[1] ?? '');
  expect(mcpServers.service).toEqual({
    command: 'node',
    args: ['/opt/service/dist/service.js', 'mcp', '--home', '/srv/service-home', '--user', 'admin'],
  });
});
