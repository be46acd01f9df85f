/** Chooses the fields that a search without a field reads. */
import { match, nearestFirst, ProblemList } from '../../../query-surface/index.ts';
import type { Field, Model } from '../../model/model.ts';

/** Fields of one search at most. */
const MAX_SEARCHED_FIELDS = 100;

/**
 * Returns the text fields that a caller may see: of a dataset, or with a name, or all.
 *
 * @throws ValidationError for an unknown name, with the names that exist
 */
export function fieldsToSearch(
  model: Model,
  { dataset, field }: { readonly dataset: string | undefined; readonly field: string | undefined },
): { readonly fields: readonly Field[]; readonly isCut: boolean } {
  const problems = new ProblemList();
  const datasets = [...model.datasets.values()];
  const named = dataset === undefined ? undefined : match(dataset, datasets);
  if (named !== undefined && named.kind !== 'one')
    problems.add(['dataset'], `There is no dataset "${dataset?.slice(0, 100)}".`, () =>
      nearestFirst(
        dataset ?? '',
        datasets.map(({ name }) => name),
      ),
    );
  const searched = named?.kind === 'one' ? [named.item] : datasets;
  const all = searched
    .flatMap(({ fields }) => [...fields.values()])
    .filter(({ type, display }) => type === 'text' && !display.hidden);
  const fields = field === undefined ? all : all.filter((each) => match(field, [each]).kind === 'one');
  if (field !== undefined && fields.length === 0)
    problems.add(['field'], `There is no text field "${field.slice(0, 100)}".`, () =>
      nearestFirst(field, [...new Set(all.map(({ name }) => name))]),
    );
  problems.throwAll();
  return { fields: fields.slice(0, MAX_SEARCHED_FIELDS), isCut: fields.length > MAX_SEARCHED_FIELDS };
}
