/**
 * Waits for libsecp256k1 before unit tests, as the app's worker threads do. Otherwise tests that never wait would compute all
 * keys with its slow substitute.
 */
import { preloadSecp256k1 } from '../electron/walletfile/keys/publicKey.ts';

await preloadSecp256k1();
