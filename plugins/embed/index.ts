export { embedsOf } from './embeds-of.ts';
export { endEmbedsOfDocument, endEmbedsOfUser } from './end-embeds.ts';
export { embedMigrations } from './migrations.ts';
export { embed, viewing } from './plugin.ts';
