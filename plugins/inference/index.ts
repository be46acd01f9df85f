/** Design-time inference: from a warehouse or a file to a model that answers. */

export { READING_DESCRIPTION, ReadingChoices, ReadingText } from './file-reading.ts';
export {
  clearLeftUploads,
  designer,
  inference,
  inferenceStores,
  withdrawMade,
} from './inference-surface.ts';
export { tableName, withFindings } from './profile/profile-file.ts';
export { profileSchema } from './profile/profile-schema.ts';
export { tableSql } from './profile/table-sql.ts';
export { findContradictions as contradictionsOf } from './proposal/check.ts';
export { PUBLISHED_AS } from './publish/datasource-names.ts';
export { firstAnswers } from './publish/first-answers.ts';
export { type MadeModels, type ModelsToMake, makeModels } from './publish/make-models.ts';
export { renderModels as modelsOf } from './publish/render-models.ts';
export { planWithdrawal } from './publish/withdraw.ts';
export { placesFor, writeModels } from './publish/write-models.ts';
export { proposeByRules } from './rules/propose-by-rules.ts';
export type { ConnectionStore } from './stores/connections.ts';
export { OriginStore } from './stores/origins.ts';
export { inferenceMigrations } from './stores/tables.ts';
export type { UploadFiles, UploadFolder } from './stores/upload-files.ts';
export { FILE_PARTS } from './uploads/operations.ts';
export type { InferenceResult, InferenceTask } from './work/tasks.ts';
export { InferenceWork } from './work/work.ts';
