/** The detector of personal data that the cube surface, the semantic surface and inference share. */

export {
  type PersonalVerdict,
  personalByName,
  personalByText,
  personalByValues,
  type ValueType,
} from './detect-personal.ts';
export { PERSON_WORDS } from './personal-words.ts';
