/** Certified answers: questions whose typed request an owner of the model has written or approved. */
import { z } from 'zod';
import { list } from './bounded.ts';
import { formatPath, type RequestPath } from './path.ts';

export const MAX_CERTIFIED_ANSWERS = 200;
const MAX_WORDINGS = 10;
const MAX_CERTIFIED_QUESTION_LENGTH = 500;

const Question = z
  .string()
  .max(MAX_CERTIFIED_QUESTION_LENGTH)
  .refine((text) => /[\p{L}\p{N}]/u.test(text), 'a certified question has words');

/** A certified answer as a model or a cube contains it. */
export const CertifiedAnswer = z.strictObject({
  question: Question,
  also: list(Question, MAX_WORDINGS).default([]).describe('Other wordings of the question.'),
  request: z.record(z.string(), z.unknown()).describe('The typed request, without the names of its model.'),
  by: z.string().min(1).max(200).optional().describe('The person or group that certified it.'),
  at: z.iso.date().optional().describe('The day of the certification.'),
});
export type CertifiedAnswer = z.output<typeof CertifiedAnswer>;

/** Returns the warning about a certified answer that its model or cube cannot give. */
export function brokenAnswerMessage(
  { question }: CertifiedAnswer,
  { path, message }: { readonly path: RequestPath; readonly message: string },
): string {
  const reason = path.length === 0 ? message : `${formatPath(path)}: ${message}`;
  return `the certified answer "${question}" is broken: ${reason}`;
}

/** The mark of an answer that was certified. */
export const Certification = z.object({
  question: z.string().describe('The question as it was certified.'),
  by: z.string().optional(),
  at: z.string().optional().describe('A day, as `2026-11-26`.'),
});
export type Certification = z.output<typeof Certification>;

export function certificationOf({ question, by, at }: CertifiedAnswer): Certification {
  return { question, ...(by !== undefined && { by }), ...(at !== undefined && { at }) };
}
