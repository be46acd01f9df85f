/** `npx tsx demo/generate.ts FILE`: writes the demo warehouse to a file. */
import { existsSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { DEFAULT_FACT_ROWS, DEFAULT_SEED, generateWarehouse } from './warehouse/generate.ts';

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('Give a whole number of at least 1.');
  return value;
}

const program = new Command('demo/generate')
  .description('Writes the demo warehouse into a new DuckDB file.')
  .argument('<file>', 'the file to make; it must not exist')
  .option('--rows <n>', 'rows of the sales fact', wholeNumber, DEFAULT_FACT_ROWS)
  .option('--seed <n>', 'the same seed and rows give the same data', wholeNumber, DEFAULT_SEED)
  .action(async (file: string, options: { rows: number; seed: number }) => {
    if (existsSync(file)) program.error(`error: ${file} exists; remove it or name another file.`);
    const started = performance.now();
    const onProgress = (done: number, total: number, what: string): void => {
      if (process.stderr.isTTY)
        process.stderr.write(`\r\u001b[K${String(Math.floor((100 * done) / total)).padStart(3)} % ${what}`);
    };
    await generateWarehouse(file, { seed: options.seed, factRows: options.rows, onProgress });
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    console.log(
      `${file}: ${options.rows.toLocaleString('en')} sales in ${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
  });

await program.parseAsync();
