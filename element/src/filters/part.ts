import type { FiltersPart } from '../types.ts';
import { Filters } from './filters.ts';
import { QueryWithFilters } from './query-with-filters.ts';
import { styles } from './styles.ts';

export const createController: FiltersPart['createController'] = (options, createQuery) =>
  new QueryWithFilters(options, createQuery);

export const createFilters: FiltersPart['createFilters'] = (options) => new Filters(options);

export { styles };
