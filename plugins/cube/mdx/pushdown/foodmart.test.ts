import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../../schema/read.ts';
import { FOODMART_MISSING, foodmartCopies, foodmartDirectory, foodmartSchema } from '../../testing/foodmart.ts';
import { type CatalogOptions, type MdxCatalog, openCatalog } from '../index.ts';
import { resultText } from '../query/result-text.ts';
import { type Recorded, recorded } from '../testing/recorded.ts';

/** The public conformance queries: whatever the warehouse chooses of a set, the answer is what the engine's own choice is. */

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly cube: string | null;
  readonly mdx: string;
  readonly schema?: string;
  readonly role?: string;
}

const directory = foodmartDirectory();
const casesFile = directory === undefined ? undefined : join(directory, '../mdx-conformance/cases.jsonl');

function queriesOf(file: string): readonly Case[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Case => JSON.parse(line))
    .filter(({ kind, schema }) => (kind === 'query' || kind === 'axis') && schema === undefined);
}

async function answer(catalog: MdxCatalog, { kind, mdx, cube, role }: Case): Promise<string> {
  const query = kind === 'axis' ? `SELECT {${mdx}} ON COLUMNS FROM [${cube}]` : mdx;
  try {
    return resultText(await catalog.query(query, { role }));
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

if (directory === undefined || casesFile === undefined || !existsSync(casesFile))
  describe.skip(FOODMART_MISSING, () => it('needs FoodMart and the public cases beside it', () => undefined));
else
  describe('the public queries over FoodMart', () => {
    let started: TestWarehouse;
    let record: Recorded;
    beforeAll(async () => {
      started = await startWarehouse('duckdb', foodmartCopies(directory));
      record = recorded(started.warehouse);
    }, 60_000);
    afterAll(() => started?.stop());

    const open = (options: Partial<CatalogOptions>): MdxCatalog => {
      const { schema, problems } = readSchema(foodmartSchema(directory));
      if (schema === undefined) throw new Error(JSON.stringify(problems));
      return openCatalog({ schema, warehouse: record.warehouse, ...options });
    };

    it('have the same answers whether the warehouse chooses the tuples or the engine does', async () => {
      const cases = queriesOf(casesFile);
      expect(cases.length).toBeGreaterThan(150);
      const plain = open({ pushdown: false });
      // Every level is large: all that can be asked of the warehouse is.
      const pushing = open({ largeLevel: 0 });
      const expected = new Map<Case, string>();
      for (const each of cases) expected.set(each, await answer(plain, each));
      record.clear();
      for (const each of cases) expect.soft(await answer(pushing, each), each.id).toBe(expected.get(each));
      expect(record.statements.filter((sql) => /RANK\(\)|HAVING/.test(sql)).length).toBeGreaterThan(10);
      await Promise.all([plain.close(), pushing.close()]);
    }, 180_000);
  });
