/** Questions in natural language: a language model writes the typed query, the surface checks and answers it. */
export { type AskDependencies, askSteps } from './ask-steps.ts';
export { AskedQuestions, askedQuestionMigrations } from './asked-questions.ts';
export { markWrong } from './feedback.ts';
export { ask } from './plugin.ts';
export { askedQuestions } from './questions-plugin.ts';
export { AskFeedback, AskFeedbackAnswer, Clarification } from './schemas.ts';
export { followUpsOf, suggestionsOf } from './suggestions.ts';
