/** Questions in natural language: a language model writes the typed query, the surface checks and answers it. */
export { type AskDependencies, askSteps } from './ask-steps.ts';
export { ask } from './plugin.ts';
export { followUpsOf, suggestionsOf } from './suggestions.ts';
