import { type FilterState, readFilterState } from '../api/filter-state.ts';

/** Reads the state that the page's address has under a name; undefined where it has none. */
export function readAddress(name: string): FilterState | undefined {
  const text = new URL(location.href).searchParams.get(name);
  return text === null ? undefined : readFilterState(text);
}

/** Writes the state into the page's address, without a new entry in the history. */
export function writeAddress(name: string, state: FilterState): void {
  const url = new URL(location.href);
  const { filters = {}, ...others } = state;
  const isEmpty = Object.keys(filters).length === 0 && Object.keys(others).length === 0;
  if (isEmpty) url.searchParams.delete(name);
  else url.searchParams.set(name, JSON.stringify(state));
  try {
    history.replaceState(history.state, '', url);
  } catch {
    // Pages without an address of their own, and browsers that limit such calls: the state is still in the property.
  }
}
