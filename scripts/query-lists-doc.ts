/**
 * Writes the closed lists of queries into the docs: `docs/reference/aggregations.md`, and the table of relative periods in
 * `docs/guide/time.md`.
 *
 *   npx tsx scripts/query-lists-doc.ts           writes them
 *   npx tsx scripts/query-lists-doc.ts --check   fails when they are not up to date
 */
import { readFileSync } from 'node:fs';
import { AGGREGATION_NAMES, AGGREGATIONS, isOverriding, overrideName } from '../plugins/semantic/model/aggregations.ts';
import { RELATIVE_PERIODS } from '../router/relative-periods.ts';
import { writeOrCheck } from './generated-file.ts';

const COMMAND = 'npx tsx scripts/query-lists-doc.ts';

function aggregationsPage(): string {
  const rows = AGGREGATION_NAMES.map((name) => {
    const { written, says, ofNoRows, wholeOfParts } = AGGREGATIONS[name];
    const override = isOverriding(name) ? `\`${overrideName(name)}\`` : '';
    const parts = wholeOfParts === null ? '' : 'yes';
    return `| \`${name}\` | ${written.map((sql) => `\`${sql}\``).join(', ')} | ${says} | ${ofNoRows ?? 'null'} | ${parts} | ${override} |`;
  });
  return `# Aggregations

<!-- Written by \`${COMMAND}\`; change plugins/semantic/model/aggregations.ts instead. -->

These are the aggregations of metrics in semantic models. The name is the \`aggregationKind\` of a metric and of a column. An expression of several
aggregations has the kind \`ratio\` (a division), \`derived\` (of other metrics) or \`expression\`.

- **Written as**: the SQL functions of an expression. Aggregates that are not listed here are \`aggregate\`; the warehouse computes them.
- **Of no rows**: the value of a period without rows where a request fills with zeros ([Time](../guide/time.md#how-do-i-show-months-without-data)).
- **Of parts**: whether values of parts make the value of the whole. Cumulative metrics read such rows once; semi-additive means
  \`per\` several fields take only these.
- **Override**: how a request names it in \`values[].aggregation\`. A metric's \`supportedOverrides\` lists those that it takes.

| Name | Written as | Computes | Of no rows | Of parts | Override |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

const BEGIN = `<!-- Written by \`${COMMAND}\`; change router/relative-periods.ts instead. -->`;
const END = '<!-- End of the written table. -->';

/** Returns a page with the table of relative periods between its two marks. */
function withRelativePeriods(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${TIME_PAGE} has no place for relative periods.`);
  const counts = { required: 'yes', optional: 'default 1', refused: 'no' } as const;
  const rows = Object.entries(RELATIVE_PERIODS).map(
    ([name, { n, says }]) => `| \`${name}\` | ${counts[n]} | ${says} |`,
  );
  return `${before}${BEGIN}\n\n| \`value\` | \`n\` | Days |\n|---|---|---|\n${rows.join('\n')}\n\n${END}${after}`;
}

const AGGREGATIONS_PAGE = 'docs/reference/aggregations.md';
const TIME_PAGE = 'docs/guide/time.md';
const pages: Readonly<Record<string, string>> = {
  [AGGREGATIONS_PAGE]: aggregationsPage(),
  [TIME_PAGE]: withRelativePeriods(readFileSync(TIME_PAGE, 'utf8')),
};

for (const [file, text] of Object.entries(pages)) writeOrCheck(file, text, COMMAND);
