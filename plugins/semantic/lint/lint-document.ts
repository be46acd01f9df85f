/** Checks a semantic document, with or without the warehouse that it describes. */
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import type { CheckReport } from '../../query-surface/index.ts';
import { type DocumentReader, inlineReader } from '../document-reader.ts';
import { loadModel, warnOfUnplannable } from '../load.ts';
import { bindRollups } from '../model/bind-rollups.ts';
import { Problems } from '../model/problems.ts';
import { documentOf, modelNames } from '../model/read-document.ts';
import { readDraft } from '../model/read-draft.ts';
import type { Engine } from '../model/sql-texts.ts';
import { assumeModel } from './assume-model.ts';
import { probeCalendars } from './probe-calendars.ts';
import { probeKeys } from './probe-keys.ts';
import { lint } from './rules.ts';

export interface LintOptions {
  /** The model to check; without it, all models of the document. */
  readonly model?: string | undefined;
  readonly warehouse?: Warehouse | undefined;
  /** True to check in the data that keys are unique. Needs the warehouse. */
  readonly data?: boolean | undefined;
  /** Reads its texts; without it, the calling thread reads them. */
  readonly reader?: DocumentReader | undefined;
}

/** Checks a document, or one model of it. @throws the warehouse's error when it fails */
export async function lintDocument(text: string, options: LintOptions = {}): Promise<CheckReport> {
  const names = options.model === undefined ? modelNames(text) : [options.model];
  const problems: DatasourceProblem[] = [];
  // A document without readable models is checked once, without a model name.
  for (const name of names.length === 0 ? [undefined] : names) {
    problems.push(...(await lintModel(text, name, options)));
  }
  const { warehouse, data } = options;
  const notChecked =
    warehouse === undefined
      ? ['whether its tables and columns exist and its expressions run (needs --jdbc)', KEYS]
      : data === true
        ? []
        : [KEYS];
  return { problems: inOrder(problems), notChecked };
}

const KEYS = 'whether its keys are unique in the data (needs --jdbc and --data)';

/** Without a warehouse, the document is read as standard SQL. */
const STANDARD: Engine = { name: 'ansi', parserName: 'generic' };

async function lintModel(
  text: string,
  name: string | undefined,
  { warehouse, data, reader = inlineReader }: LintOptions,
): Promise<readonly DatasourceProblem[]> {
  const yaml = await reader.yaml(text);
  const document = documentOf(yaml, name);
  if ('problems' in document) return document.problems;
  const reading = new Problems(document.locator);
  const draft = await readDraft(document, warehouse?.dialect ?? STANDARD, reading, reader.sql);
  const lintProblems = new Problems(document.locator);
  if (warehouse === undefined) {
    const assumed = await assumeModel(draft, lintProblems);
    warnOfUnplannable(assumed, draft, lintProblems);
    bindRollups({ draft, model: assumed, sumsDecimalsExactly: true, problems: lintProblems });
    lint(draft, assumed, lintProblems);
    return [...reading.all, ...lintProblems.all];
  }
  const { model, problems } = await loadModel({ schema: name }, text, warehouse, { ...reader, yaml: () => yaml });
  if (model === undefined) {
    // Loading ends at the first stage that fails. The rules that need only the document run even then.
    lint(draft, await assumeModel(draft, lintProblems), lintProblems);
    return [...problems, ...lintProblems.all];
  }
  lint(draft, model, lintProblems);
  if (data === true) {
    await probeKeys(draft, model, warehouse, lintProblems);
    await probeCalendars(draft, model, warehouse, lintProblems);
  }
  return [...problems, ...lintProblems.all];
}

function inOrder(problems: readonly DatasourceProblem[]): readonly DatasourceProblem[] {
  const byText = new Map(problems.map((problem) => [JSON.stringify([problem.line, problem.message]), problem]));
  return [...byText.values()].toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
}
