/** Certified answers of cubes: the annotation `service.certified` of a cube, a JSON list. */
import { list } from '../../../../router/bounded.ts';
import { CertifiedAnswer, MAX_CERTIFIED_ANSWERS } from '../../../../router/certified-answer.ts';
import { jsonOrUndefined } from '../../../../router/json.ts';
import { formatPath } from '../../../../router/path.ts';
import type { Cube } from '../model.ts';
import type { Problems } from '../xml/problems.ts';

const ANNOTATION = 'service.certified';
const Answers = list(CertifiedAnswer, MAX_CERTIFIED_ANSWERS);

/** Returns the certified answers of a cube; none where they cannot be read. */
export function certifiedAnswersOf(cube: Cube): readonly CertifiedAnswer[] {
  return read(cube)?.data ?? [];
}

/** Warns of certified answers that cannot be read. The cube is served without them. */
export function checkCertifiedAnswers(cube: Cube, problems: Problems): void {
  const [issue] = read(cube)?.error?.issues ?? [];
  if (issue === undefined) return;
  const place = issue.path.length === 0 ? '' : ` ${formatPath(issue.path)}:`;
  problems.warn(
    cube,
    `service.certified of the cube "${cube.name}" is no JSON list such as [{"question": "Sales by year?", "request": {"measures": [{"name": "Sales"}]}}]:${place} ${issue.message}.`,
  );
}

function read({ annotations }: Cube) {
  for (const [name, text] of annotations)
    if (name.trim().toLowerCase() === ANNOTATION) return Answers.safeParse(jsonOrUndefined(text));
  return undefined;
}
