/** The filter of the audit log in the address of the page: `?kind=QUERY&user=ann&from=2026-11-01`. */
import { AUDIT_KINDS, type AuditFilter } from './requests.ts';

/** What the fields of the page contain; days as `2026-11-26`, empty for no limit. */
export interface AuditFields {
  readonly kind: string;
  readonly user: string;
  readonly action: string;
  readonly outcome: string;
  readonly from: string;
  readonly to: string;
}

export const FIELD_NAMES = ['kind', 'user', 'action', 'outcome', 'from', 'to'] as const;

export function fieldsFromAddress(search: string): AuditFields {
  const parameters = new URLSearchParams(search);
  const text = (name: string) => (parameters.get(name) ?? '').slice(0, 200);
  return {
    kind: text('kind'),
    user: text('user'),
    action: text('action'),
    outcome: text('outcome'),
    from: text('from'),
    to: text('to'),
  };
}

export function fieldsToAddress(fields: AuditFields): string {
  const entries = FIELD_NAMES.flatMap((name) => (fields[name] === '' ? [] : [[name, fields[name]]]));
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}

/** Returns the filter of the request: whole days of the visitor's time zone, the last one included. */
export function toFilter(fields: AuditFields): AuditFilter {
  const { user, action, outcome } = fields;
  const kind = AUDIT_KINDS.find((each) => each === fields.kind);
  const from = startOfDay(fields.from, 0);
  const to = startOfDay(fields.to, 1);
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(user === '' ? {} : { user }),
    ...(action === '' ? {} : { action }),
    ...(outcome === '' ? {} : { outcome }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

function startOfDay(day: string, later: number): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (match === null) return undefined;
  return new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + later).toISOString();
}
