/**
 * Waits for libsecp256k1 before unit tests, like the app's worker threads. Otherwise tests that never wait would compute all
 * keys with its slow substitute.
 */
import { makeLibraryReady } from '../electron/walletfile/keys/publicKey.ts';

await makeLibraryReady();
