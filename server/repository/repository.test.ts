import {
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { Repository } from '../../router/capabilities/repository.ts';
import { BodyTooLargeError, ForbiddenError, ValidationError } from '../../router/errors.ts';
import { MAX_DOCUMENT_BYTES, openRepository } from './index.ts';

const HERE = '0a1b6a5e-0000-4000-8000-000000000001' as TenantId;
const ELSEWHERE = '0a1b6a5e-0000-4000-8000-000000000002' as TenantId;

const who = (user: string, roles: readonly string[] = ['ROLE_USER'], tenant = HERE): Scope => ({ tenant, user, roles });
const ana = who('ana');
const bob = who('bob');
const admin = who('admin', ['ROLE_ADMIN']);

let folder: string;
let root: string;
let repository: Repository;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-repository-'));
  root = join(folder, 'repository');
  repository = await openRepository({ directory: root, defaultTenant: HERE });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function place(path: string, text = '{}'): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const paths = async (caller: Scope, extension = '.service') =>
  (await repository.list(caller, extension)).map((document) => document.path);
const text = async (caller: Scope, path: string) => (await repository.read(caller, path))?.text;

describe('rights', () => {
  beforeEach(async () => {
    await place('shared/all.service', 'shared');
    await place('homes/ana/a.service', 'of ana');
    await place('homes/bob/deep/b.service', 'of bob');
  });

  it('a user reads its own home and the shared area, and an administrator reads everything', async () => {
    expect(await paths(ana)).toEqual(['homes/ana/a.service', 'shared/all.service']);
    expect(await paths(bob)).toEqual(['homes/bob/deep/b.service', 'shared/all.service']);
    expect(await paths(admin)).toEqual(['homes/ana/a.service', 'homes/bob/deep/b.service', 'shared/all.service']);
    expect(await text(ana, 'homes/ana/a.service')).toBe('of ana');
    expect(await text(ana, 'shared/all.service')).toBe('shared');
    expect(await text(admin, 'homes/bob/deep/b.service')).toBe('of bob');
  });

  it("another user's document is answered like a missing one", async () => {
    expect(await repository.read(ana, 'homes/bob/deep/b.service')).toBeUndefined();
    expect(await repository.read(ana, 'homes/bob/none.service')).toBeUndefined();
    expect(await repository.remove(ana, 'homes/bob/deep/b.service')).toBe(false);
    expect(await readFile(join(root, 'homes/bob/deep/b.service'), 'utf8')).toBe('of bob');
  });

  it('a user writes only in its own home', async () => {
    await repository.write(ana, 'homes/ana/new/n.service', 'n');
    expect(await text(ana, 'homes/ana/new/n.service')).toBe('n');
    await expect(repository.write(ana, 'shared/n.service', 'n')).rejects.toThrow(ForbiddenError);
    await expect(repository.write(ana, 'homes/bob/n.service', 'n')).rejects.toThrow(ForbiddenError);
    expect(await readdir(join(root, 'homes/bob'))).toEqual(['deep']);
  });

  it('an administrator writes everywhere', async () => {
    await repository.write(admin, 'shared/deep/n.service', '1');
    await repository.write(admin, 'homes/bob/n.service', '2');
    expect(await text(bob, 'shared/deep/n.service')).toBe('1');
    expect(await text(bob, 'homes/bob/n.service')).toBe('2');
  });

  it('a user removes its own documents and is refused in the shared area', async () => {
    expect(await repository.remove(ana, 'homes/ana/a.service')).toBe(true);
    expect(await repository.remove(ana, 'homes/ana/a.service')).toBe(false);
    await expect(repository.remove(ana, 'shared/all.service')).rejects.toThrow(ForbiddenError);
    expect(await repository.remove(ana, 'shared/none.service')).toBe(false);
    expect(await repository.remove(admin, 'shared/all.service')).toBe(true);
  });

  it('a user name opens a home only in its exact spelling', async () => {
    expect(await text(who('Ana'), 'homes/ana/a.service')).toBeUndefined();
    expect(await paths(who('Ana'))).toEqual(['shared/all.service']);
  });

  it.each(['..', '.', '', 'ana/../bob', 'api-key:1', '../shared'])('the user name %j opens no home', async (name) => {
    expect(await paths(who(name))).toEqual(['shared/all.service']);
    await expect(repository.write(who(name), `homes/${name}/x.service`, '')).rejects.toThrow();
  });

  it("two tenants share nothing, whatever their users' names", async () => {
    const stranger = who('ana', ['ROLE_ADMIN'], ELSEWHERE);
    expect(await paths(stranger)).toEqual([]);
    expect(await repository.read(stranger, 'shared/all.service')).toBeUndefined();
    const written = await repository.write(stranger, 'shared/all.service', 'theirs');
    expect(written.path).toBe('shared/all.service');
    expect(await paths(stranger)).toEqual(['shared/all.service']);
    expect(await text(stranger, 'shared/all.service')).toBe('theirs');
    expect(await text(ana, 'shared/all.service')).toBe('shared');
    expect(await paths(admin)).toEqual(['homes/ana/a.service', 'homes/bob/deep/b.service', 'shared/all.service']);
    expect(await repository.read(admin, `tenants/${ELSEWHERE}/shared/all.service`)).toBeUndefined();
  });
});

describe('a path that leaves the repository', () => {
  const spellings = [
    '../secret.service',
    'shared/../../secret.service',
    '/secret.service',
    'shared\\..\\..\\secret.service',
    'shared/..%2f..%2fsecret.service',
    'shared/x.service\0',
    'homes/ana/../bob/b.service',
  ];

  it.each(spellings)('%j cannot be read or removed, and is refused on writing', async (path) => {
    await writeFile(join(folder, 'secret.service'), 'secret');
    await place('homes/bob/b.service', 'of bob');
    expect(await repository.read(admin, path)).toBeUndefined();
    expect(await repository.remove(admin, path)).toBe(false);
    // `%2f` that was not decoded before is an ordinary part of a name.
    if (!path.includes('%2f')) await expect(repository.write(admin, path, 'x')).rejects.toThrow(ValidationError);
    expect(await readFile(join(folder, 'secret.service'), 'utf8')).toBe('secret');
    expect(await readFile(join(root, 'homes/bob/b.service'), 'utf8')).toBe('of bob');
  });

  it('is reported with the member of the request', async () => {
    await expect(repository.write(admin, 'shared/../x.service', '')).rejects.toMatchObject({
      field: 'path',
      message: 'No segment of a repository path begins with a dot.',
    });
  });
});

describe('symbolic links', () => {
  beforeEach(async () => {
    await mkdir(join(folder, 'outside'));
    await writeFile(join(folder, 'outside/secret.service'), 'secret');
    await mkdir(join(root, 'shared'), { recursive: true });
  });

  it('to an outside file are no documents', async () => {
    await symlink(join(folder, 'outside/secret.service'), join(root, 'shared/link.service'));
    expect(await repository.read(admin, 'shared/link.service')).toBeUndefined();
    expect(await paths(admin)).toEqual([]);
    expect(await repository.remove(admin, 'shared/link.service')).toBe(false);
    await expect(repository.write(admin, 'shared/link.service', 'x')).rejects.toThrow(ValidationError);
    expect(await readFile(join(folder, 'outside/secret.service'), 'utf8')).toBe('secret');
  });

  it('to an outside folder are no folders', async () => {
    await symlink(join(folder, 'outside'), join(root, 'shared/folder'));
    expect(await repository.read(admin, 'shared/folder/secret.service')).toBeUndefined();
    expect(await paths(admin)).toEqual([]);
    expect(await repository.remove(admin, 'shared/folder/secret.service')).toBe(false);
    await expect(repository.write(admin, 'shared/folder/secret.service', 'x')).rejects.toThrow(ValidationError);
    await expect(repository.write(admin, 'shared/folder/deep/new.service', 'x')).rejects.toThrow(ValidationError);
    expect(await readdir(join(folder, 'outside'))).toEqual(['secret.service']);
  });

  it('in place of a whole area are no area', async () => {
    await rm(join(root, 'shared'), { recursive: true });
    await symlink(join(folder, 'outside'), join(root, 'shared'));
    expect(await repository.read(admin, 'shared/secret.service')).toBeUndefined();
    expect(await paths(admin)).toEqual([]);
    await expect(repository.write(admin, 'shared/new.service', 'x')).rejects.toThrow(ValidationError);
  });

  it("from one user's home into another's open nothing", async () => {
    await place('homes/bob/b.service', 'of bob');
    await mkdir(join(root, 'homes/ana'), { recursive: true });
    await symlink('../bob/b.service', join(root, 'homes/ana/b.service'));
    await symlink('../bob', join(root, 'homes/ana/bob'));
    expect(await repository.read(ana, 'homes/ana/b.service')).toBeUndefined();
    expect(await repository.read(ana, 'homes/ana/bob/b.service')).toBeUndefined();
    expect(await paths(ana)).toEqual([]);
  });

  it('that dangle or are circular are missing documents, not errors', async () => {
    await symlink('loop.service', join(root, 'shared/loop.service'));
    await symlink('nowhere', join(root, 'shared/hanging.service'));
    expect(await repository.read(admin, 'shared/loop.service')).toBeUndefined();
    expect(await repository.read(admin, 'shared/hanging.service')).toBeUndefined();
  });

  it('above the repository are allowed, because the operator sets them', async () => {
    await place('shared/a.service', 'text');
    await symlink(root, join(folder, 'alias'));
    const through = await openRepository({ directory: join(folder, 'alias'), defaultTenant: HERE });
    expect((await through.read(ana, 'shared/a.service'))?.text).toBe('text');
    expect((await through.list(ana, '.service')).length).toBe(1);
  });

  it('that replace a folder during a read give the old document or none', async () => {
    await place('shared/folder/secret.service', 'harmless');
    let stop = false;
    const swapping = (async () => {
      while (!stop) {
        await rename(join(root, 'shared/folder'), join(root, 'shared/aside'));
        await symlink(join(folder, 'outside'), join(root, 'shared/folder'));
        await rm(join(root, 'shared/folder'));
        await rename(join(root, 'shared/aside'), join(root, 'shared/folder'));
      }
    })();
    const seen = new Set<string | undefined>();
    for (let i = 0; i < 2_000; i++) seen.add(await text(admin, 'shared/folder/secret.service'));
    stop = true;
    await swapping;
    expect([...seen].filter((each) => each !== undefined && each !== 'harmless')).toEqual([]);
    // The document existed all the time, so a read has found it.
    expect(await text(admin, 'shared/folder/secret.service')).toBe('harmless');
  });
});

describe('documents on disk', () => {
  it('are listed by extension, in the order of their paths, with the time of their last change', async () => {
    await place('shared/b.service');
    await place('shared/a/z.service');
    await place('shared/dash.servicedash');
    await utimes(join(root, 'shared/b.service'), 1_790_000_000, 1_790_000_000);
    expect(await paths(ana)).toEqual(['shared/a/z.service', 'shared/b.service']);
    expect(await paths(ana, '.servicedash')).toEqual(['shared/dash.servicedash']);
    expect((await repository.read(ana, 'shared/b.service'))?.info).toEqual({
      path: 'shared/b.service',
      updatedAtMillis: 1_790_000_000_000,
    });
  });

  it('with hidden names, or names that no path can have, are left out', async () => {
    await place('shared/.hidden.service');
    await place('shared/.git/a.service');
    await place('shared/back\\slash.service');
    await place('shared/Gro\u0308ße.service');
    await mkdir(join(root, 'shared/folder.service'));
    expect(await paths(admin)).toEqual([]);
    expect(await repository.read(admin, 'shared/.hidden.service')).toBeUndefined();
    expect(await repository.read(admin, 'shared/folder.service')).toBeUndefined();
  });

  it('are replaced atomically and leave no other file', async () => {
    await repository.write(admin, 'shared/a.service', 'one');
    const hard = join(folder, 'hard');
    await link(join(root, 'shared/a.service'), hard);
    await repository.write(admin, 'shared/a.service', 'Größe');
    expect(await text(ana, 'shared/a.service')).toBe('Größe');
    // A hard link to the old file still has the old text: the new file replaced it and did not overwrite it.
    expect(await readFile(hard, 'utf8')).toBe('one');
    expect(await readdir(join(root, 'shared'))).toEqual(['a.service']);
    expect((await stat(join(root, 'shared/a.service'))).mode & 0o007).toBe(0);
  });

  it('are never read half-written while many writers write', async () => {
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000));
    await repository.write(admin, 'shared/a.service', texts[0] ?? '');
    const writing = Promise.all(texts.map((each) => repository.write(admin, 'shared/a.service', each)));
    for (let i = 0; i < 20; i++) expect(texts).toContain(await text(ana, 'shared/a.service'));
    await writing;
    expect(texts).toContain(await text(ana, 'shared/a.service'));
    expect(await readdir(join(root, 'shared'))).toEqual(['a.service']);
  });

  it('may have 1 MiB at most, in bytes', async () => {
    await repository.write(admin, 'shared/a.service', 'x'.repeat(MAX_DOCUMENT_BYTES));
    await expect(repository.write(admin, 'shared/a.service', `${'x'.repeat(MAX_DOCUMENT_BYTES - 1)}ß`)).rejects.toThrow(
      BodyTooLargeError,
    );
    expect((await text(ana, 'shared/a.service'))?.length).toBe(MAX_DOCUMENT_BYTES);
    await place('shared/huge.service', 'x'.repeat(MAX_DOCUMENT_BYTES + 1));
    await expect(repository.read(ana, 'shared/huge.service')).rejects.toThrow(BodyTooLargeError);
  });

  it('cannot be written where a folder or a file is in the way', async () => {
    await place('shared/taken/a.service');
    await expect(repository.write(admin, 'shared/taken', 'x')).rejects.toThrow(ValidationError);
    await expect(repository.write(admin, 'shared/taken/a.service/b.service', 'x')).rejects.toThrow(ValidationError);
    expect((await lstat(join(root, 'shared/taken/a.service'))).isFile()).toBe(true);
  });

  it('with a byte order mark are read without it', async () => {
    await place('shared/a.service', '\ufeff{}');
    expect(await text(ana, 'shared/a.service')).toBe('{}');
  });
});
