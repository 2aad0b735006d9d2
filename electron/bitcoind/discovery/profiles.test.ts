import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { profile as profileShape } from '../../../shared/model/node.ts';
import { createProfiles, type Profiles, type SecretStore } from './profiles.ts';

const address = { host: 'node.local', port: 8332, tls: false };
const secret = 'correct horse';
const login = { by: 'password', user: 'ann', password: secret, save: true } as const;
let folder: string;
let file: string;
let available: boolean;
let profiles: Profiles;

/** Sealing that can be told from the text, as the system's can. */
const secrets: SecretStore = {
  available: () => available,
  encrypt: async (text) => Buffer.from(text).toString('hex'),
  decrypt: async (text) => Buffer.from(text, 'hex').toString(),
};
const written = () => readFile(file, 'utf8');

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'ferry-profiles-')), 'data');
  file = join(folder, 'profiles.json');
  available = true;
  profiles = createProfiles({ dataFolder: folder, secrets });
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

describe('remembering', () => {
  // SECURITY.md: Whoever reads what is left behind
  it('keeps the password only as the system encrypted it', async () => {
    const { id } = await profiles.remember(address, login);
    expect(await written()).not.toContain(secret);
    const again = createProfiles({ dataFolder: folder, secrets });
    expect(profileShape.array().parse(await again.list())).toEqual([
      {
        id,
        label: 'node.local:8332',
        address,
        login: { by: 'password', user: 'ann', passwordSaved: true },
        lastUsed: expect.any(Number),
      },
    ]);
    expect(await again.loginOf(id)).toEqual({
      label: 'node.local:8332',
      address,
      credentials: { by: 'password', user: 'ann', password: secret },
    });
  });

  it.each([
    ['nothing can encrypt', false, true],
    ['it was not asked for', true, false],
  ])('keeps no password where %s, and asks for it', async (_, canEncrypt, save) => {
    available = canEncrypt;
    const { id, login: kept } = await profiles.remember(address, { ...login, save });
    expect(kept).toEqual({ by: 'password', user: 'ann', passwordSaved: false });
    const text = await written();
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    await expect(profiles.loginOf(id)).rejects.toMatchObject({ code: 'credentials_missing' });
    expect(await profiles.loginOf(id, 'typed')).toMatchObject({ credentials: { password: 'typed' } });
    await profiles.used(id, 'typed');
    expect(await written()).not.toContain(Buffer.from('typed').toString('hex'));
  });

  it('asks for the password when the system can no longer decrypt it', async () => {
    const { id } = await profiles.remember(address, login);
    const broken = { ...secrets, decrypt: () => Promise.reject(new Error('keyring')) };
    const again = createProfiles({ dataFolder: folder, secrets: broken });
    await expect(again.loginOf(id)).rejects.toMatchObject({ code: 'credentials_missing' });
  });

  it('forgets a saved password when it is no longer to be saved', async () => {
    await profiles.remember(address, login);
    const { id } = await profiles.remember(address, { ...login, save: false });
    expect(await profiles.list()).toHaveLength(1);
    await expect(profiles.loginOf(id)).rejects.toMatchObject({ code: 'credentials_missing' });
  });

  it('replaces a saved password with the one that was typed', async () => {
    const { id } = await profiles.remember(address, login);
    await profiles.used(id, 'new');
    expect(await profiles.loginOf(id)).toMatchObject({ credentials: { password: 'new' } });
  });

  it('keeps the path of a cookie file', async () => {
    const { id } = await profiles.remember(address, { by: 'cookie', cookieFile: '/x/.cookie' });
    expect(await profiles.loginOf(id)).toMatchObject({
      credentials: { by: 'cookie', cookieFile: '/x/.cookie' },
    });
  });

  it('has one profile for each address and user', async () => {
    await profiles.remember(address, login);
    await profiles.remember({ ...address, port: 1 }, login);
    await profiles.remember(address, { ...login, user: 'bob' });
    await profiles.remember(address, login);
    expect(await profiles.list()).toHaveLength(3);
  });
});

describe('the file', () => {
  it('is for its owner alone, and leaves nothing half written beside it', async () => {
    await profiles.remember(address, login);
    expect(await readdir(folder)).toEqual(['profiles.json']);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('holds every change of many made at once', async () => {
    await Promise.all([1, 2, 3, 4].map((port) => profiles.remember({ ...address, port }, login)));
    expect((await profiles.list()).map((each) => each.address.port).sort()).toEqual([1, 2, 3, 4]);
  });

  // SECURITY.md: A hostile wallets folder
  it.skipIf(process.platform === 'win32')('is not waited for where it is a pipe', async () => {
    await mkdir(folder);
    expect(spawnSync('mkfifo', [file]).status).toBe(0);
    await expect(profiles.list()).rejects.toMatchObject({ code: 'file_unreadable' });
  });

  it('is put aside when it is damaged', async () => {
    await profiles.remember(address, login);
    await writeFile(file, '{"version":1,"profiles":[{"id":');
    expect(await profiles.list()).toEqual([]);
    await profiles.remember(address, login);
    const names = await readdir(folder);
    const aside = names.find((name) => /^profiles\.json\.damaged-\d+$/.test(name)) ?? '';
    expect(await readFile(join(folder, aside), 'utf8')).toContain('"id":');
    expect(names).toContain('profiles.json');
  });
});

describe('forgetting', () => {
  it('removes a profile, its secret too', async () => {
    const { id } = await profiles.remember(address, login);
    await profiles.forget(id);
    expect(await profiles.list()).toEqual([]);
    expect(await written()).not.toContain('ann');
    await expect(profiles.loginOf(id)).rejects.toMatchObject({ code: 'bad_input' });
    await profiles.used(id);
    expect(await profiles.list()).toEqual([]);
  });
});
