/** Calls of the language model for one question: a query, its repairs, and skills that are looked up. */
export const MAX_CALLS = 5;

/** Tokens of one answer of the language model; a query is some hundreds, models that think first need more. */
export const MAX_OUTPUT_TOKENS = 4_000;

/** Characters of the tools of a question, as JSON: their names, descriptions and schemas. */
export const MAX_TOOLS_LENGTH = 10_000;

/** Values of a closed list in the schema of a tool, where the schema is too long without this limit. */
export const MAX_LISTED_VALUES = 50;

/** Characters of one text of an author: a description, an instruction, an example. */
export const MAX_TEXT_LENGTH = 500;

/** Notes on a model, for example its relationships, and examples of requests and questions. */
export const MAX_NOTES = 100;
export const MAX_EXAMPLES = 5;

/** Tokens of the catalogue of skills; of a larger one the skills that fit the question best are listed. */
export const MAX_CATALOGUE_TOKENS = 2_000;

/** Maximum of fields and levels with described values, and of values of each. */
export const MAX_DESCRIBED_VALUES = 60;
export const VALUES_PER_ELEMENT = 10;

/** Follow-up questions that are offered with an answer. */
export const MAX_FOLLOW_UPS = 3;

/** Words of a question that elements are ranked by. */
export const MAX_RANKED_WORDS = 60;

/** Candidates that the language model gets for one mistake. */
export const MAX_CANDIDATES = 30;

/** Readings of a question that the language model may ask back about. */
export const MIN_READINGS = 2;
export const MAX_READINGS = 3;

/** Characters of the reason why a question is off topic. */
export const MAX_REASON_LENGTH = 500;

/** Characters of the words with which a caller marks an answer as wrong. */
export const MAX_COMMENT_LENGTH = 500;

/** The interval between two reports of how much of an answer has arrived. */
export const PROGRESS_INTERVAL_MS = 250;
