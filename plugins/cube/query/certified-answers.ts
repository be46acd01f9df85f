/** Checks the certified answers of cubes against the cubes and their members. */

import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import { brokenAnswerMessage, type CertifiedAnswer } from '../../../router/certified-answer.ts';
import { type Problem, ServiceError, ValidationError } from '../../../router/errors.ts';
import { parseInput } from '../../../router/parse-input.ts';
import { CubeQueryRequest } from '../api/schemas.ts';
import type { CubeTarget } from '../catalog/cube-target.ts';
import { within } from './execute/cached-mdx.ts';
import { resolve } from './resolve/resolve-request.ts';

/** Milliseconds in which the members that certified answers name are looked up. */
const CHECK_MS = 10_000;

/** Returns a warning for each certified answer that its cube cannot give. */
export async function brokenAnswers(
  targets: readonly CubeTarget[],
  nowMillis: number,
): Promise<readonly DatasourceProblem[]> {
  const problems: DatasourceProblem[] = [];
  for (const target of targets) {
    for (const answer of target.view.certified) {
      const problem = await problemOf(answer, target, nowMillis);
      if (problem === undefined) continue;
      const message = `The cube "${target.view.name}": ${brokenAnswerMessage(answer, problem)}`;
      problems.push({ severity: 'warning', message });
    }
  }
  return problems;
}

async function problemOf(
  { request }: CertifiedAnswer,
  target: CubeTarget,
  nowMillis: number,
): Promise<Problem | undefined> {
  try {
    const query = parseInput(CubeQueryRequest, { ...request, cube: target.cubeId });
    await within(CHECK_MS, undefined, (signal) => resolve(query, target, { nowMillis, signal }));
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error instanceof ValidationError) return error.problems[0];
    return { path: [], message: `it could not be checked: ${error.message}` };
  }
}
