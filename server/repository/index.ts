export { MAX_DOCUMENT_BYTES, openRepository } from './open-repository.ts';
