export { embedsOf } from './embeds-of.ts';
export { EndedEmbeds, endEmbedsOfDocument, endEmbedsOfUser, restoreEmbeds } from './end-embeds.ts';
export { answerFile, dashboardFile } from './file-answers.ts';
export { embedMigrations } from './migrations.ts';
export { offlineTokens } from './offline.ts';
export { parseOthers } from './others.ts';
export { embed, viewing } from './plugin.ts';
export { layoutOf, shownAnswer } from './shown-answer.ts';
