import { expect, test } from 'vitest';
import { agentSnippets } from './snippets.ts';

const URL = 'https://example.com/analytics/rest/service/api/mcp';

test('every snippet has the address of this server and no key', () => {
  const snippets = agentSnippets('https://example.com/analytics');
  expect(snippets.map(({ client }) => client)).toEqual([
    'Claude Code',
    'Cursor',
    'VS Code',
    'Codex',
    'OpenAI API',
    'curl',
  ]);
  for (const { client, text } of snippets) {
    expect(text, client).toContain(URL);
    expect(text, client).not.toContain('service_');
    // A snippet starts outside of a clone.
    expect(text, client).not.toContain('dist/service.js');
  }
});

test('files of JSON are JSON', () => {
  for (const { caption, text } of agentSnippets('http://localhost:8080'))
    if (caption.endsWith('.json')) expect(() => JSON.parse(text), caption).not.toThrow();
});
