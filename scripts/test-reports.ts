/** Reads the reports of the parts of `npm test`: passed, failed and skipped tests. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Titles of failed tests. */
  readonly failures: readonly string[];
  /** Titles of skipped tests. */
  readonly skipped: readonly string[];
  readonly note?: string | undefined;
}

const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })) })),
});
const MdxResult = z.object({ id: z.string(), ok: z.boolean() });
const ElementCounts = z.object({
  passed: z.number(),
  failed: z.number(),
  failures: z.array(z.string()),
  skipped: z.array(z.string()),
  note: z.string().optional(),
});

export function vitestCounts(text: string): Counts {
  const report = VitestReport.parse(JSON.parse(text));
  const all = report.testResults.flatMap((file) => file.assertionResults);
  const titlesOf = (isCounted: (status: string) => boolean) =>
    all.filter((test) => isCounted(test.status)).map((test) => test.fullName);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    failures: titlesOf((status) => status === 'failed'),
    skipped: titlesOf((status) => status !== 'passed' && status !== 'failed'),
  };
}

/** Counts results. A case with a cause in docs/internals/mdx-conformance.md is a known failure; an outdated list is a failure, too. */
export function mdxCounts(text: string): Counts {
  const failing = new Set(
    readFileSync('docs/internals/mdx-conformance.md', 'utf8').match(/(?<=^- `)\w+\.\w+(#\d+)?(?=`: )/gm),
  );
  const results = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => MdxResult.parse(JSON.parse(line)));
  const wrong = results.filter(({ id, ok }) => ok === failing.has(id));
  const empty = results.length === 0 ? 1 : 0;
  return {
    passed: results.filter(({ ok }) => ok).length,
    failed: wrong.length + empty,
    failures: wrong.map(({ id, ok }) => (ok ? `${id} (is listed as failing, but passes)` : id)),
    skipped: [],
    note:
      failing.size === 0
        ? undefined
        : `mdx: ${failing.size} cases fail for the causes in docs/internals/mdx-conformance.md.`,
  };
}

export function elementCounts(text: string): Counts {
  return ElementCounts.parse(JSON.parse(text));
}

/** Writes the numbers of skipped tests by what they need, the most first. */
export function skipTable(needs: ReadonlyMap<string, number>): string {
  const rows = [...needs].toSorted(([, left], [, right]) => right - left);
  const title = 'skipped';
  return [
    `${title}  what they need`,
    ...rows.map(([need, number]) => `${String(number).padStart(title.length)}  ${need}`),
  ].join('\n');
}
