/**
 * Encrypts the messages between the app and one tab, so that nobody else on the app's port can read or forge them: AES-GCM
 * of the platform (WebCrypto), with a key that only these two have.
 */
import { z } from 'zod/mini';
import { parseJson } from './shapes.ts';

/** Bytes of a nonce, as AES-GCM takes it best (NIST SP 800-38D, 5.2.1.1); random, it may be used 2^32 times with a key. */
const NONCE_BYTES = 12;
const KEY_BYTES = 32;

export type MessageCipher = Awaited<ReturnType<typeof createMessageCipher>>;

/** An unguessable name and its key. */
export const sessionCredentialsShape = z.object({
  id: z.string().check(z.minLength(1)),
  key: z.string().check(z.minLength(1)),
});
export type SessionCredentials = z.infer<typeof sessionCredentialsShape>;

/** 256 random bits as base64url: a key, or an unguessable name. */
export function randomSecret(): string {
  const secret = toBase64(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
  return secret.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** `secret` is one of `randomSecret`. */
export async function createMessageCipher(secret: string) {
  const bytes = fromBase64(secret.replaceAll('-', '+').replaceAll('_', '/'));
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const cipher = (iv: Uint8Array<ArrayBuffer>, about: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(about),
  });
  return {
    /** `about` names the purpose of the text. It is authenticated but not sent: `decrypt` needs the same text. */
    async encrypt(text: string, about: string): Promise<Uint8Array<ArrayBuffer>> {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const closed = await crypto.subtle.encrypt(cipher(nonce, about), key, new TextEncoder().encode(text));
      const all = new Uint8Array(NONCE_BYTES + closed.byteLength);
      all.set(nonce);
      all.set(new Uint8Array(closed), NONCE_BYTES);
      return all;
    },
    /** Throws if the bytes were changed, or sealed with another key or purpose. */
    async decrypt(bytes: Uint8Array<ArrayBuffer>, about: string): Promise<string> {
      const opened = cipher(bytes.slice(0, NONCE_BYTES), about);
      return new TextDecoder().decode(await crypto.subtle.decrypt(opened, key, bytes.slice(NONCE_BYTES)));
    },
  };
}

/** For messages that travel as lines of text. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Throws if the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/**
 * The key of the session in the tab's `sessionStorage`, which belongs to one origin and port. The tab got the session for
 * its link: a name, sent with each new connection, and a key that is never sent.
 */
export const SESSION_STORAGE_KEY = 'wallet-ferry-session';

/** For the page: null if its tab has no access, or the browser blocks its storage. */
export function readSession(): SessionCredentials | null {
  try {
    return (
      sessionCredentialsShape.safeParse(parseJson(sessionStorage.getItem(SESSION_STORAGE_KEY) ?? '')).data ??
      null
    );
  } catch {
    return null;
  }
}

/**
 * The protocol, all of it sealed. The tab opens a connection by POST to `events`, with a nonce under the key of the
 * session. The app answers with lines of base64, numbered from 0 and bound to that nonce: the first holds a name and a key
 * for the calls of this connection, the others are events. An empty line comes every `HEARTBEAT_MS` milliseconds, so that the
 * tab notices a silently broken connection, such as a tunnel's.
 *
 * A call goes by POST to `call/<name>` with a number that is unique in the connection. The browser stores the key of the
 * connection nowhere, so a recorded call cannot be decrypted by somebody who gets hold of the page later.
 */
export const messagePurposes = {
  connection: () => 'events',
  event: (nonce: string, number: number) => `event ${nonce} ${number}`,
  call: (name: string, number: string) => `call ${name} ${number}`,
  answer: (number: string) => `answer ${number}`,
};
export const NUMBER_HEADER = 'wallet-ferry-number';
export const SEALED_TYPE = 'application/octet-stream';
export const eventShape = z.object({ name: z.string(), value: z.unknown() });
export const HEARTBEAT_MS = 15_000;
