/**
 * What the app and one tab say to each other so that nobody else reads or forges it, whoever has the app's port: sealed
 * with AES-GCM of the platform (WebCrypto), under a key that only these two have.
 */
import { z } from 'zod';

/** Bytes of a nonce, as AES-GCM takes it best (NIST SP 800-38D, 5.2.1.1); random, it may be used 2^32 times with a key. */
const NONCE_BYTES = 12;
const KEY_BYTES = 32;

export type Seal = Awaited<ReturnType<typeof sealWith>>;

/** A name that nobody guesses, and the key that goes with it. */
export const sealedWithShape = z.object({ id: z.string().min(1), key: z.string().min(1) });
export type SealedWith = z.infer<typeof sealedWithShape>;

/** 256 random bits, as base64url: a key, or a name that nobody guesses. */
export function randomSecret(): string {
  const secret = toBase64(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
  return secret.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** `secret` is one of `randomSecret`. */
export async function sealWith(secret: string) {
  const bytes = fromBase64(secret.replaceAll('-', '+').replaceAll('_', '/'));
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const cipher = (iv: Uint8Array<ArrayBuffer>, about: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(about),
  });
  return {
    /** `about` says what the text is for: it is not sent, and opens only under the same words. */
    async close(text: string, about: string): Promise<Uint8Array<ArrayBuffer>> {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const closed = await crypto.subtle.encrypt(cipher(nonce, about), key, new TextEncoder().encode(text));
      const all = new Uint8Array(NONCE_BYTES + closed.byteLength);
      all.set(nonce);
      all.set(new Uint8Array(closed), NONCE_BYTES);
      return all;
    },
    /** Throws where the bytes were changed, sealed with another key or about something else. */
    async open(bytes: Uint8Array<ArrayBuffer>, about: string): Promise<string> {
      const opened = cipher(bytes.slice(0, NONCE_BYTES), about);
      return new TextDecoder().decode(await crypto.subtle.decrypt(opened, key, bytes.slice(NONCE_BYTES)));
    },
  };
}

/** For what is sent in lines of text. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Throws where it is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/**
 * Under which the session lies in the tab's `sessionStorage`: that belongs to one origin, its port included. It is what the
 * link was exchanged for: the tab's name, sent whenever it opens its line, and a key that is never sent.
 */
export const SESSION_KEY = 'wallet-ferry-session';

/**
 * How they speak, all of it sealed. The tab opens its line by POST to `events`, with a word of its own choice under the
 * key of the session. The app answers with lines of base64, numbered from 0 and about that word: the first holds a name
 * and a key for the calls of this line, the others are events. An empty line comes every `BEAT_MS` milliseconds, so that
 * a line that died in silence (a tunnel's) is noticed.
 *
 * A call goes by POST to `call/<name>` with a number that no other call of the line had. The key of the line is in no
 * storage of the browser: who would record a call, and have the page of the tab later, could not open it.
 */
export const about = {
  line: () => 'events',
  event: (word: string, number: number) => `event ${word} ${number}`,
  call: (name: string, number: string) => `call ${name} ${number}`,
  answer: (number: string) => `answer ${number}`,
};
export const NUMBER_HEADER = 'wallet-ferry-number';
export const SEALED_TYPE = 'application/octet-stream';
export const eventShape = z.object({ name: z.string(), value: z.unknown() });
export const BEAT_MS = 15_000;
