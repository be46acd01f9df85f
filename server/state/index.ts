export { openState, type StateOptions, type StateStore } from './open-state.ts';
export { StateUnusableError } from './state-unusable-error.ts';
