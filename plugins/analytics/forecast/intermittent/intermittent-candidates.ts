/** The candidates for intermittent demand. */
import { candidate } from '../candidate.ts';
import { projectCroston, projectImapa, projectOptimisedCroston, projectSba, projectTsb } from './project.ts';

export const INTERMITTENT_CANDIDATES = [
  candidate('croston', projectCroston),
  candidate('sba', projectSba),
  candidate('optimised_croston', projectOptimisedCroston),
  candidate('tsb', projectTsb),
  candidate('imapa', projectImapa),
];
