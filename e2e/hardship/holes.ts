/** A program: makes holes in a wallet file, rescues its keys, and prints a `HolesReport` as JSON. */
import { readFileSync } from 'node:fs';
import { repairWallet } from '../../electron/recovery/repair/repairWallet.ts';
import { readBerkeley } from '../../electron/walletfile/database/berkeley.ts';
import { decryptKey } from '../../electron/walletfile/keys/crypter.ts';
import { readDer } from '../../electron/walletfile/keys/privateKey.ts';
import { encryptionOf, masterKeyOf } from '../../electron/walletfile/records/encryption.ts';
import { recordsByType } from '../../electron/walletfile/records/records.ts';
import { AppError } from '../../shared/model/errors.ts';
import { seededRandom } from './seededRandom.ts';

export interface HolesReport {
  /** Bytes. */
  readonly size: number;
  readonly keys: number;
  readonly trials: readonly HolesTrial[];
  /** How far the process's memory rose above that before the first hole, in bytes. */
  readonly mostMemory: number;
  readonly slowestMs: number;
}

export interface HolesTrial {
  /** The share of the file's pages that are left, 0 to 1. */
  readonly left: number;
  /** The share of the private keys that are saved, 0 to 1. */
  readonly saved: number;
  /** Saved keys that the whole file does not have. */
  readonly wrong: number;
}

const PAGE = 4096;

async function holesIn(
  file: Uint8Array,
  passphrase: string | undefined,
  count: number,
): Promise<HolesReport> {
  const whole = await keysOf(file, passphrase);
  const before = process.memoryUsage().rss;
  const trials: HolesTrial[] = [];
  let slowestMs = 0;
  for (let seed = 1; seed <= count; seed += 1) {
    const { bytes, left } = withHoles(file, seed);
    const since = performance.now();
    const keys = await savedKeys(bytes, passphrase);
    slowestMs = Math.max(slowestMs, performance.now() - since);
    const right = [...keys].filter((key) => whole.has(key)).length;
    trials.push({ left, saved: right / whole.size, wrong: keys.size - right });
  }
  const mostMemory = Math.max(0, process.resourceUsage().maxRSS * 1024 - before);
  return { size: file.length, keys: whole.size, trials, mostMemory, slowestMs };
}

/** Fills 1 % to 60 % of the pages with zeros or noise. */
function withHoles(file: Uint8Array, seed: number): { bytes: Uint8Array; left: number } {
  const random = seededRandom(seed);
  const bytes = file.slice();
  const pages = Math.ceil(file.length / PAGE);
  const whole = Array.from({ length: pages }, (_, page) => page);
  const holes = Math.max(1, Math.floor(pages * (0.01 + 0.59 * random.share())));
  for (let count = 0; count < holes; count += 1) {
    const page = random.of(whole);
    whole.splice(whole.indexOf(page), 1);
    const hole = bytes.subarray(page * PAGE, (page + 1) * PAGE);
    if (random.share() < 0.5) hole.fill(0);
    else for (let at = 0; at < hole.length; at += 1) hole[at] = random.share() * 256;
  }
  return { bytes, left: whole.length / pages };
}

/** The private keys in the repaired file; none if it could not be repaired. */
async function savedKeys(bytes: Uint8Array, passphrase: string | undefined): Promise<Set<string>> {
  try {
    const repaired = await repairWallet(bytes, { logs: [], network: 'regtest', passphrase });
    return await keysOf(repaired.bytes, passphrase);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_a_wallet') return new Set();
    throw error;
  }
}

/** The private keys in hex. Encrypted keys count only with the right passphrase. */
async function keysOf(file: Uint8Array, passphrase: string | undefined): Promise<Set<string>> {
  const records = recordsByType(readBerkeley(file).records);
  const encryption = encryptionOf(records);
  const masterKey = encryption && passphrase !== undefined ? await masterKeyOf(encryption, passphrase) : null;
  const keys = [
    ...records.of('key').map(({ der }) => readDer(der)),
    ...records.of('ckey').map((key) => masterKey && decryptKey(masterKey, key)),
  ];
  return new Set(keys.flatMap((key) => (key ? [Buffer.from(key).toString('hex')] : [])));
}

const [path = '', count = '', passphrase] = process.argv.slice(2);
void holesIn(new Uint8Array(readFileSync(path)), passphrase, Number(count)).then((report) =>
  process.stdout.write(JSON.stringify(report)),
);
