/**
 * Questions, each with SQL that is written by hand over the plain tables and spells out joins, grouping and order for this
 * question. The SQL is DuckDB's; every engine must answer the question with the same records.
 */
import { GROUPED } from './grouped.ts';
import { KINDS } from './kinds.ts';
import { NARROWED } from './narrowed.ts';
import type { Question } from './question.ts';

export const QUESTIONS: readonly Question[] = [...GROUPED, ...NARROWED, ...KINDS];
