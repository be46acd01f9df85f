/** Reads the documents of embeds as their owners do. */
import type { AnswerFiles } from '../../router/capabilities/answer-files.ts';
import type { Scope } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { QuerySource } from '../../router/capabilities/query-source.ts';
import type { ReadDocument, Repository } from '../../router/capabilities/repository.ts';
import { BodyTooLargeError, ConflictError, ValidationError } from '../../router/errors.ts';
import { type Steps, settled } from '../../router/steps.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { Door } from './read-access.ts';
import type { Resource } from './schemas.ts';

export interface ReadDependencies {
  readonly door: Door;
  readonly log: Log;
  readonly repository: Repository;
  readonly sources: readonly QuerySource[];
  readonly answers: KeptAnswers;
  readonly files: AnswerFiles;
}

/** Reads a document as its owner does. One that is gone, or that the owner may not read any more, opens nothing. */
export function* readDocument<Document>(
  { repository, door, log }: ReadDependencies,
  owner: Scope,
  resource: Resource,
  parse: (read: ReadDocument) => Document,
): Steps<Document> {
  try {
    const document = yield* settled(repository.read(owner, resource.path));
    if (document === undefined) throw door.refusal(resource, 'no document that its owner may read');
    return parse(document);
  } catch (error) {
    if (!(error instanceof ValidationError || error instanceof BodyTooLargeError)) throw error;
    log.warn({ ...resource, field: error.field, why: error.message }, 'embedded document is broken');
    throw new ConflictError('This embedded document is broken. Its owner can repair it.', {
      code: 'DOCUMENT_BROKEN',
      cause: error,
    });
  }
}
