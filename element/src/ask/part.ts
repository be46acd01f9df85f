import type { AskPart } from '../types.ts';
import { AskController } from './ask-controller.ts';
import { styles } from './styles.ts';

export const createController: AskPart['createController'] = (options) => new AskController(options);

export { styles };
