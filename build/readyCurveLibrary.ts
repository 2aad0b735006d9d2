/**
 * Waits for libsecp256k1 before unit tests, as the app's worker threads do before a task. Tests that never wait would
 * otherwise make all their keys with its slow stand-in.
 */
import { makeLibraryReady } from '../electron/walletfile/keys/publicKey.ts';

await makeLibraryReady();
