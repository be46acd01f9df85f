import { expect, test } from 'vitest';
import { startAsking } from '../testing/asking.ts';
import { playAgent } from './agent.ts';
import { CUBE_MISTAKES, SEMANTIC_MISTAKES } from './mistakes.ts';

test('an agent without a language model corrects every documented mistake from the answers alone, over MCP and REST', async () => {
  const product = await startAsking({ provider: '' });
  const lines: string[] = [];
  try {
    const key = product.authorization.replace('Bearer ', '');
    await playAgent({ url: product.url, key, write: (line) => lines.push(line) });
  } finally {
    await product.stop();
  }
  const [overMcp = '', overRest = ''] = lines.join('\n').split('# Over REST');
  for (const { title } of [...SEMANTIC_MISTAKES, ...CUBE_MISTAKES]) {
    expect(overMcp).toContain(title);
    expect(overRest).toContain(title);
  }
  expect(overMcp).toContain('  <- rows[0].field: ');
  expect(overMcp).toContain('     available: region');
  expect(overMcp).toMatch(/ {2}<- 4 records/);
  // The transcript shows each request before and after its correction.
  const sent = (field: string) =>
    `  -> {"rows":[{"dataset":"stores","field":"${field}"}],"values":[{"metric":"net_sales"}]}\n`;
  expect(overMcp).toContain(`${sent('regoin')}  <- rows[0].field: `);
  expect(overMcp).toContain(`${sent('region')}  <- 4 records`);
  // Errors and corrections do not depend on the transport.
  expect(overMcp.replace('# Over MCP\n', '').trim()).toBe(overRest.trim());
});
