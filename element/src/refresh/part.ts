import { access } from './access.ts';
import { mergeAnswers } from './merge-answers.ts';
import { refreshEvery } from './refresh-every.ts';

export { access, mergeAnswers, refreshEvery };
