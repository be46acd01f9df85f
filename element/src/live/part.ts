import { access } from './access.ts';
import { mergeAnswers } from './merge.ts';
import { refreshEvery } from './refresh.ts';

export { access, mergeAnswers, refreshEvery };
