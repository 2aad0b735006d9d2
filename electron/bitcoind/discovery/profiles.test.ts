import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { profile as profileShape } from '../../../shared/model/node.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { createProfiles, type Profiles, type SecretStore } from './profiles.ts';

const address = { host: 'node.local', port: 8332, tls: false };
const secret = 'correct horse';
const login = { by: 'password', user: 'ann', password: secret, save: true } as const;
let folder: string;
let file: string;
let available: boolean;
let profiles: Profiles;

/** Encrypts to a text that differs from the secret. */
const secrets: SecretStore = {
  available: () => available,
  encrypt: async (text) => Buffer.from(text).toString('hex'),
  decrypt: async (text) => Buffer.from(text, 'hex').toString(),
};
const written = () => readFile(file, 'utf8');

beforeEach(() => {
  folder = join(makeTestFolder(), 'data');
  file = join(folder, 'profiles.json');
  available = true;
  profiles = createProfiles({ dataFolder: folder, secrets });
});

describe('remembering', () => {
  // SECURITY.md: Readers of what is left behind
  it('keeps the password only as the system encrypted it', async () => {
    const { id } = await profiles.remember(address, login);
    expect(await written()).not.toContain(secret);
    const again = createProfiles({ dataFolder: folder, secrets });
    const [label, lastUsed] = ['node.local:8332', expect.any(Number)];
    const kept = { by: 'password', user: 'ann', passwordSaved: true };
    const listed = z.array(profileShape).parse(await again.list());
    expect(listed).toEqual([{ id, label, address, login: kept, lastUsed }]);
    const credentials = { by: 'password', user: 'ann', password: secret };
    expect(await again.loginOf(id)).toEqual({ label, address, credentials });
  });

  it.each([
    ['the system cannot encrypt', false, true],
    ['the user did not ask for it', true, false],
  ])('saves no password if %s, and asks for it', async (_, canEncrypt, save) => {
    available = canEncrypt;
    const { id, login: kept } = await profiles.remember(address, { ...login, save });
    expect(kept).toEqual({ by: 'password', user: 'ann', passwordSaved: false });
    const text = await written();
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    await expect(profiles.loginOf(id)).rejects.toMatchObject({ code: 'credentials_missing' });
    expect(await profiles.loginOf(id, 'typed')).toMatchObject({ credentials: { password: 'typed' } });
    await profiles.recordUse(id, 'typed');
    expect(await written()).not.toContain(Buffer.from('typed').toString('hex'));
  });

  it('asks for the password if the system can no longer decrypt it', async () => {
    const { id } = await profiles.remember(address, login);
    const broken = { ...secrets, decrypt: () => Promise.reject(new Error('keyring')) };
    const again = createProfiles({ dataFolder: folder, secrets: broken });
    await expect(again.loginOf(id)).rejects.toMatchObject({ code: 'credentials_missing' });
  });

  it('forgets a saved password if the user no longer saves it', async () => {
    await profiles.remember(address, login);
    const { id } = await profiles.remember(address, { ...login, save: false });
    expect(await profiles.list()).toHaveLength(1);
    await expect(profiles.loginOf(id)).rejects.toMatchObject({ code: 'credentials_missing' });
  });

  it('replaces a saved password with a typed one', async () => {
    const { id } = await profiles.remember(address, login);
    await profiles.recordUse(id, 'new');
    expect(await profiles.loginOf(id)).toMatchObject({ credentials: { password: 'new' } });
  });

  it('saves the path of a cookie file', async () => {
    const credentials = { by: 'cookie', cookieFile: '/x/.cookie' } as const;
    const { id } = await profiles.remember(address, credentials);
    expect(await profiles.loginOf(id)).toMatchObject({ credentials });
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
  it('can be read by its owner only, and no part of it remains', async () => {
    await profiles.remember(address, login);
    expect(await readdir(folder)).toEqual(['profiles.json']);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('contains all of many changes at once', async () => {
    await Promise.all([1, 2, 3, 4].map((port) => profiles.remember({ ...address, port }, login)));
    expect((await profiles.list()).map((each) => each.address.port).sort()).toEqual([1, 2, 3, 4]);
  });

  // SECURITY.md: Links, pipes and devices in place of files
  it.skipIf(process.platform === 'win32')('is not waited for if it is a pipe', async () => {
    await mkdir(folder);
    expect(spawnSync('mkfifo', [file]).status).toBe(0);
    await expect(profiles.list()).rejects.toMatchObject({ code: 'file_unreadable' });
  });

  it('is renamed if it is damaged', async () => {
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
  it('removes a profile with its secret', async () => {
    const { id } = await profiles.remember(address, login);
    await profiles.forget(id);
    expect(await profiles.list()).toEqual([]);
    expect(await written()).not.toContain('ann');
    await expect(profiles.loginOf(id)).rejects.toMatchObject({ code: 'bad_input' });
    await profiles.recordUse(id);
    expect(await profiles.list()).toEqual([]);
  });
});
