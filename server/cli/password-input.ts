import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError } from '../installation/command-error.ts';

/**
 * Reads a new password: the first line of standard input when that is a pipe, else two hidden inputs. Never an argument, because other users of the
 * machine can read those in the process list.
 */
export async function readNewPassword(): Promise<string> {
  if (!process.stdin.isTTY) return firstLine();
  const password = await ask('New password: ');
  if (password !== (await ask('Once more: '))) throw new CommandError('The two passwords differ.');
  return password;
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  throw new CommandError('Give the password on standard input.');
}

async function ask(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
