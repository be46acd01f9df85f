/** The detector of personal data that the cube surface, the semantic surface and inference share. */
export { PERSON_WORDS } from './kinds.ts';
export {
  type PersonalVerdict,
  personalByName,
  personalByText,
  personalByValues,
  type ValueType,
} from './verdict.ts';
