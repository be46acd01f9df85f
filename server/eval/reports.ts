/** Writes the results of an evaluation: as text, as JUnit XML for continuous integration, and as a page. */
import { type Result, VERDICTS, type Verdict } from './run-suite.ts';

export interface Summary {
  readonly counts: Readonly<Record<Verdict, number>>;
  /** Share of passed questions, from 0 to 1. */
  readonly score: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly milliseconds: number;
}

export function summaryOf(results: readonly Result[]): Summary {
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, results.filter((each) => each.verdict === verdict).length]),
  ) as Record<Verdict, number>;
  const sum = (of: (result: Result) => number) => results.reduce((total, each) => total + of(each), 0);
  return {
    counts,
    score: results.length === 0 ? 0 : counts.passed / results.length,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    costUsd: sum(({ costUsd }) => costUsd),
    milliseconds: sum(({ milliseconds }) => milliseconds),
  };
}

/** Returns lines for the questions that have not passed, and a summary. */
export function textReport(results: readonly Result[]): string {
  const failed = results.filter(({ verdict }) => verdict !== 'passed');
  const lines = failed.map(({ verdict, question, reason }) => `${verdict.padEnd(8)} ${question}\n         ${reason}`);
  return [...lines, summaryLine(results)].join('\n');
}

function summaryLine(results: readonly Result[]): string {
  const { counts, score, inputTokens, outputTokens, costUsd, milliseconds } = summaryOf(results);
  const parts = VERDICTS.map((verdict) => `${counts[verdict]} ${verdict}`);
  const tokens = `${inputTokens.toLocaleString('en-US')} tokens in, ${outputTokens.toLocaleString('en-US')} out`;
  return `${results.length} questions: ${parts.join(', ')} (${(100 * score).toFixed(1)}%). ${tokens}, ${costUsd.toFixed(4)} USD, ${(milliseconds / 1_000).toFixed(1)} s.`;
}

export function junitReport(results: readonly Result[], name: string): string {
  const { counts, milliseconds } = summaryOf(results);
  const cases = results.map(({ question, verdict, reason, milliseconds: taken }) => {
    const open = `    <testcase classname="${xml(name)}" name="${xml(question)}" time="${(taken / 1_000).toFixed(3)}"`;
    return verdict === 'passed'
      ? `${open}/>`
      : `${open}>\n      <failure type="${verdict}" message="${xml(reason)}"/>\n    </testcase>`;
  });
  const suite = `  <testsuite name="${xml(name)}" tests="${results.length}" failures="${results.length - counts.passed}" errors="0" time="${(milliseconds / 1_000).toFixed(3)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suite}\n${cases.join('\n')}\n  </testsuite>\n</testsuites>\n`;
}

const COLOURS: Readonly<Record<Verdict, string>> = {
  passed: 'light-dark(#1a7f37, #57c774)',
  near: 'light-dark(#8a5a00, #e0a72e)',
  wrong: 'light-dark(#b42318, #ff8a7a)',
  refused: 'light-dark(#57606a, #a9b1ba)',
};

/** Returns a page without scripts or other files. */
export function htmlReport(results: readonly Result[], name: string): string {
  const rows = results.map(
    ({ question, verdict, reason, request, isCertified, calls, inputTokens, outputTokens, milliseconds }) =>
      `<tr><td class="${verdict}">${verdict}</td><td>${xml(question)}${isCertified ? ' <em>(certified)</em>' : ''}${reason === '' ? '' : `<p>${xml(reason)}</p>`}${request === undefined ? '' : `<details><summary>Request</summary><pre>${xml(JSON.stringify(request, undefined, 2))}</pre></details>`}</td><td>${calls}</td><td>${inputTokens + outputTokens}</td><td>${milliseconds}</td></tr>`,
  );
  const colours = VERDICTS.map((verdict) => `.${verdict} { color: ${COLOURS[verdict]}; font-weight: 600 }`).join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evaluation of ${xml(name)}</title>
<style>
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid light-dark(#d0d7de, #444c56) }
td:nth-child(2) { min-width: 15rem }
td p { margin: .2rem 0 0 }
pre { overflow-x: auto; max-width: 60ch }
${colours}
</style>
<h1>Evaluation of ${xml(name)}</h1>
<p>${xml(summaryLine(results))}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Questions">
<table>
<thead><tr><th>Result</th><th>Question</th><th>Calls</th><th>Tokens</th><th>Milliseconds</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</div>
</html>
`;
}

/** Writes a text for XML and HTML. Characters that XML 1.0 does not have are left out. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
