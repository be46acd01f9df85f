/** Saves a change of a model document, with the documents that it renames in, as a new version. */
import type { UserCaller } from '../../../router/capabilities/identity.ts';
import type { CertifiedAnswer } from '../../../router/certified-answer.ts';
import { ForbiddenError, NotFoundError, ValidationError } from '../../../router/errors.ts';
import { type EditingParts, proposeChange } from './propose-change.ts';
import type { ModelChange } from './schemas.ts';
import { type CarriedDocument, versionOf } from './versions.ts';

export interface Saved {
  readonly version: string;
  readonly status: string;
  /** Documents that were changed, too. */
  readonly carried: readonly string[];
}

/**
 * Writes the document that a change makes.
 *
 * @throws ForbiddenError where the document cannot be written here
 * @throws ConflictError for a change of an earlier version
 * @throws ValidationError where the changed document would not load
 */
export async function saveChange(
  change: ModelChange,
  caller: UserCaller,
  parts: EditingParts,
  signal: AbortSignal | undefined,
): Promise<Saved> {
  const { files, versions } = parts;
  const whyNot = await files.whyNot(caller, await files.find(caller, change.id));
  if (whyNot !== undefined) throw new ForbiddenError(whyNot);
  const { file, before, after, summary, problems, carried } = await proposeChange(change, caller, parts, signal);
  const first = problems.find(({ severity }) => severity === 'error');
  const member = change.edits === undefined ? (change.text === undefined ? 'restore' : 'text') : 'edits';
  if (first !== undefined) throw ValidationError.at([member], `The model could not be used: ${first.message}`);
  const status = await files.write(caller, file, { version: change.version, text: after, documents: carried });
  const documents: readonly CarriedDocument[] = carried.map(({ path, before: former, text }) => ({
    path,
    before: former,
    afterHash: versionOf(text),
  }));
  if (after !== before) await versions.add(caller, change.id, { before, after, summary, carried: documents });
  return { version: versionOf(after), status, carried: carried.map(({ path }) => path) };
}

/**
 * Adds a certified answer to the model of a connection.
 *
 * @throws NotFoundError where no datasource of that name has a semantic document
 */
export async function certify(
  answer: CertifiedAnswer,
  connection: unknown,
  caller: UserCaller,
  parts: EditingParts,
  signal: AbortSignal | undefined,
): Promise<Saved> {
  const { files } = parts;
  const file = (await files.list(caller)).find(({ datasource }) => datasource.name === connection);
  if (file === undefined) throw new NotFoundError('The datasource of this question has no semantic model any more.');
  const version = versionOf(await files.read(caller, file));
  const edits = [{ op: 'add-certified-answer' as const, answer }];
  return saveChange({ id: file.datasource.id, version, edits }, caller, parts, signal);
}
