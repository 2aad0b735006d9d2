/** Remembers the nodes that the user connected to by hand, in one file without their secrets. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod/mini';
import type { Login } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import {
  authorityOf,
  isSameAddress,
  type NodeAddress,
  nodeAddress,
  type Profile,
} from '../../../shared/model/node.ts';
import { parseJson } from '../../../shared/model/shapes.ts';
import { say } from '../../../shared/wording/say.ts';
import { rename, writeJsonFile } from '../../files/durableFile.ts';
import { systemCode } from '../../files/fileError.ts';
import { readWhole } from '../../files/openFile.ts';
import type { NodeLogin } from '../rpc/credentials.ts';

/** The system's secret storage. */
export interface SecretStore {
  /** True only if the system really encrypts. */
  available(): boolean;
  /** Encrypts a text into text that can be stored. */
  encrypt(text: string): Promise<string>;
  decrypt(text: string): Promise<string>;
}

export type Profiles = ReturnType<typeof createProfiles>;

export function createProfiles({ dataFolder, secrets }: { dataFolder: string; secrets: SecretStore }) {
  const file = join(dataFolder, 'profiles.json');
  let queue: Promise<unknown> = Promise.resolve();

  /** Runs changes one at a time: two at once would each write what it had read before. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  }

  async function seal(password: string, wanted: boolean): Promise<string | null> {
    if (!wanted || !secrets.available()) return null;
    return secrets.encrypt(password).catch(() => null);
  }

  async function toStoredLogin(login: Login): Promise<StoredLogin> {
    if (login.by === 'cookie') return login;
    return { by: 'password', user: login.user, sealed: await seal(login.password, login.save) };
  }

  return {
    /** Most recently used first. */
    async list(): Promise<Profile[]> {
      return (await inTurn(() => read(file)))
        .map(toProfile)
        .sort((one, other) => other.lastUsed - one.lastUsed);
    },
    /**
     * Remembers a node that accepted a login, or updates its last use. Saves the password only if the user asked for
     * it and the system can encrypt it.
     */
    remember: (address: NodeAddress, login: Login) =>
      inTurn(async () => {
        const stored = await read(file);
        const before = stored.find((each) => isSame(each, address, login));
        const profile: StoredProfile = {
          id: before?.id ?? randomUUID(),
          label: before?.label ?? authorityOf(address),
          address,
          login: await toStoredLogin(login),
          lastUsed: Math.floor(Date.now() / 1000),
        };
        write(file, [...stored.filter((each) => each.id !== profile.id), profile]);
        return toProfile(profile);
      }),
    /** Updates a profile's last use. A typed password replaces the saved one, if one is saved. */
    recordUse: (id: string, password?: string) =>
      inTurn(async () => {
        const stored = await read(file);
        const profile = stored.find((each) => each.id === id);
        if (profile === undefined) return;
        profile.lastUsed = Math.floor(Date.now() / 1000);
        if (profile.login.by === 'password' && profile.login.sealed !== null && password !== undefined) {
          profile.login.sealed = await seal(password, true);
        }
        write(file, stored);
      }),
    forget: (id: string) =>
      inTurn(async () => {
        const stored = await read(file);
        write(
          file,
          stored.filter((each) => each.id !== id),
        );
      }),
    /**
     * How to log in with a profile. Throws AppError `credentials_missing` if the user must type the password,
     * `bad_input` if there is no such profile.
     */
    async loginOf(id: string, password?: string): Promise<NodeLogin> {
      const profile = (await inTurn(() => read(file))).find((each) => each.id === id);
      if (profile === undefined)
        throw new AppError(
          'bad_input',
          say('This node is no longer remembered.'),
          say('Search again, or connect by hand.'),
        );
      const { label, address, login } = profile;
      if (login.by === 'cookie') return { label, address, credentials: login };
      const secret = password ?? (await unseal(login.sealed, secrets));
      if (secret === null)
        throw new AppError(
          'credentials_missing',
          say('No saved password for {label}.', { label }),
          say('Type it again.'),
        );
      return { label, address, credentials: { by: 'password', user: login.user, password: secret } };
    },
  };
}

const storedLogin = z.discriminatedUnion('by', [
  z.object({ by: z.literal('cookie'), cookieFile: z.string().check(z.minLength(1), z.maxLength(4096)) }),
  /** `sealed` is the encrypted password; null if it is not saved. */
  z.object({ by: z.literal('password'), user: z.string(), sealed: z.nullable(z.string()) }),
]);
const stored = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  label: z.string(),
  address: nodeAddress,
  login: storedLogin,
  lastUsed: z.number().check(z.nonnegative()),
});
const fileShape = z.object({ version: z.literal(1), profiles: z.array(stored) });
type StoredProfile = z.infer<typeof stored>;
type StoredLogin = z.infer<typeof storedLogin>;

function toProfile({ login, ...profile }: StoredProfile): Profile {
  if (login.by === 'cookie') return { ...profile, login };
  return { ...profile, login: { by: 'password', user: login.user, passwordSaved: login.sealed !== null } };
}

function isSame(profile: StoredProfile, address: NodeAddress, login: Login): boolean {
  if (!isSameAddress(profile.address, address) || profile.address.tls !== address.tls) return false;
  if (profile.login.by === 'cookie') {
    return login.by === 'cookie' && profile.login.cookieFile === login.cookieFile;
  }
  return login.by === 'password' && profile.login.user === login.user;
}

/** Null if no password is saved, or the system can no longer decrypt it. */
async function unseal(sealed: string | null, secrets: SecretStore): Promise<string | null> {
  if (sealed === null || !secrets.available()) return null;
  return secrets.decrypt(sealed).catch(() => null);
}

/** Renames a damaged file instead of overwriting it: it may be worth a look. */
async function read(file: string): Promise<StoredProfile[]> {
  let text: string;
  try {
    text = readWhole(file).toString('utf8');
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return [];
    throw unusableListError(file);
  }
  const parsed = fileShape.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.profiles;
  try {
    rename(file, `${file}.damaged-${Date.now()}`);
  } catch {
    throw unusableListError(file);
  }
  return [];
}

function write(file: string, profiles: StoredProfile[]): void {
  try {
    writeJsonFile(file, { version: 1, profiles });
  } catch {
    throw unusableListError(file);
  }
}

function unusableListError(file: string): AppError {
  return new AppError(
    'file_unreadable',
    say('Unusable list of nodes: {file}.', { file }),
    say('Check its permissions and free space.'),
  );
}
