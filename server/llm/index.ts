/** The language model of the settings, behind a budget. */
export { API_KEY_VARIABLES, type LlmOptions, openLlm } from './open-llm.ts';
export { llmMigrations } from './spend.ts';
export { readSpend } from './spend-report.ts';
