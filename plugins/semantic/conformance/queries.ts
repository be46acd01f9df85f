/**
 * Questions, each with its meaning in SQL written by hand over the plain tables: joins, grouping and order are spelt out for
 * this one question. The SQL is DuckDB's; every engine must answer the question with the records that it gives.
 */
import { GROUPED } from './grouped.ts';
import { KINDS } from './kinds.ts';
import { NARROWED } from './narrowed.ts';
import type { Question } from './question.ts';

export const QUESTIONS: readonly Question[] = [...GROUPED, ...NARROWED, ...KINDS];
