export type { AskBox } from './documents/ask-box.ts';
export { Dashboard, Layout, Tile } from './documents/dashboard.ts';
export { DocumentKind, EXTENSION, kindOf } from './documents/kinds.ts';
export { parseAskBox, parseDashboard, parseSavedQuery } from './documents/parse.ts';
export { Description, DrillChoice, MAX_DRILL_STEPS, SavedQuery, Source, Title } from './documents/saved-query.ts';
export { repository } from './plugin.ts';
export { deleteDocumentVersionsOf, repositoryMigrations } from './versions.ts';
