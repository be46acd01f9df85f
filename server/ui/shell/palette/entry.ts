export const GROUPS = ['recent', 'pages', 'models', 'documents', 'fields', 'actions'] as const;
export type Group = (typeof GROUPS)[number];

export interface Entry {
  readonly group: Group;
  readonly title: string;
  /** Where it is, or what it is; also searched. */
  readonly note: string;
  readonly action: { readonly address: string } | { readonly run: () => void };
}
