/** Describes one place of an installation after its examination. */
export interface Finding {
  /** The place: `home`, `warehouse shop`. */
  readonly subject: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  /** The way to correct it; absent where nothing is wrong. */
  readonly remedy?: string;
}

export const ok = (subject: string, message: string): Finding => ({ subject, status: 'ok', message });
export const warning = (subject: string, message: string, remedy: string): Finding => ({
  subject,
  status: 'warning',
  message,
  remedy,
});
export const failed = (subject: string, message: string, remedy: string): Finding => ({
  subject,
  status: 'failed',
  message,
  remedy,
});

/** Returns the message of an error for a finding. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.split('\n').join(' ') : String(error);
}
