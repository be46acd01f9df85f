/** A new name of an element of a model. */
export interface Renaming {
  readonly kind: 'dataset' | 'field' | 'metric' | 'relationship';
  /** The dataset of a field. */
  readonly dataset: string | undefined;
  readonly from: string;
  readonly to: string;
}
