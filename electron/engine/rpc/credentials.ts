/** Who may call the engine: the holder of its cookie file, or of the user and password it was started with. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync } from 'node:fs';
import { replaceFile } from '../../disk/durableFile.ts';
import { readTextOrNull } from '../../disk/readTextOrNull.ts';

export type Credentials = ReturnType<typeof makeCredentials>;

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** Writes a fresh cookie, readable by its owner only. `login` is accepted beside it. */
export function makeCredentials(cookieFile: string, login: Login | null) {
  const cookie = `__cookie__:${randomBytes(32).toString('hex')}`;
  replaceFile(cookieFile, new TextEncoder().encode(cookie));
  const accepted = [cookie, ...(login ? [`${login.user}:${login.password}`] : [])].map(digestOf);
  return {
    /** Whether the value of an `Authorization` header lets its sender in. Takes the same time for any value. */
    accepts: (authorization: string) => {
      const given = digestOf(userAndPassword(authorization));
      // No short cut: every secret is compared, and whole.
      return accepted.filter((digest) => timingSafeEqual(digest, given)).length > 0;
    },
    /** Removes the cookie file, unless another program has written its own there. */
    remove: () => {
      if (readTextOrNull(cookieFile) === cookie) rmSync(cookieFile, { force: true });
    },
  };
}

const BASIC = /^Basic +([A-Za-z0-9+/=]+) *$/i;

function userAndPassword(authorization: string): string {
  return Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString('utf8');
}

/** Digests have one length, which comparing in constant time needs. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
