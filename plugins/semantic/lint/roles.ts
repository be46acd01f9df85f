import { type ExtensionFacts, readExtensions } from '../model/extensions.ts';
import { modelNames, readDocument } from '../model/read-document.ts';

/** Returns the roles that a semantic document names, each once; none for a document that cannot be read. */
export function rolesNamed(text: string): readonly string[] {
  const roles = new Set<string>();
  for (const name of modelNames(text)) {
    const document = readDocument(text, name);
    if ('problems' in document) continue;
    const { datasets, metrics = [] } = document.model;
    const elements = [
      document.model,
      ...datasets.flatMap((dataset) => [dataset, ...(dataset.fields ?? [])]),
      ...metrics,
    ];
    for (const element of elements)
      for (const role of rolesOf(readExtensions(element, element.custom_extensions))) roles.add(role);
  }
  // `*` means callers without a role of their own; no user has it as a role.
  roles.delete('*');
  return [...roles];
}

function rolesOf({ roles: { allow = [], deny }, rowPredicates, viewers }: ExtensionFacts): readonly string[] {
  return [...allow, ...deny, ...Object.keys(rowPredicates), ...viewers.exempt];
}
