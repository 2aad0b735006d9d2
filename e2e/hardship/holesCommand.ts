/** `npm run holes -- [--count 100]`: rescues keys from five wallets with random holes, and draws `docs/holes.svg`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { repairWallet } from '../../electron/recovery/repair/repairWallet.ts';
import { readBerkeley } from '../../electron/walletfile/database/berkeley.ts';
import { decryptKey } from '../../electron/walletfile/keys/crypter.ts';
import { readDer } from '../../electron/walletfile/keys/privateKey.ts';
import { encryptionOf, masterKeyOf } from '../../electron/walletfile/records/encryption.ts';
import { recordsByType } from '../../electron/walletfile/records/records.ts';
import { AppError } from '../../shared/model/errors.ts';
import { fixtureFile, fixturePassphrase } from '../testNode/walletFixture.ts';
import { largeWallet } from './largeWallet.ts';
import { seededRandom } from './seededRandom.ts';

/** The number of trials in the picture. */
const SAMPLE_SIZE = 100;
const PAGE = 4096;

interface HolesReport {
  readonly name: string;
  readonly keys: number;
  readonly trials: readonly HolesTrial[];
}

interface HolesTrial {
  /** The share of the file's pages that are left, 0 to 1. */
  readonly left: number;
  /** The share of the private keys that are saved, 0 to 1. */
  readonly saved: number;
  /** Saved keys that the whole file does not have. */
  readonly wrong: number;
}

/** Prints the figures. Returns whether no key was wrong. */
export async function run(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { count: { type: 'string', default: `${SAMPLE_SIZE}` } } });
  const count = Number(values.count);
  const recorded = (name: Parameters<typeof fixtureFile>[0]) => readFileSync(fixtureFile(name));
  const passphrase = fixturePassphrase('legacy-hd-encrypted');
  const wallets: readonly (readonly [name: string, file: Uint8Array, passphrase?: string])[] = [
    ['with a seed', recorded('legacy-hd')],
    ['with a seed, encrypted', recorded('legacy-hd-encrypted'), passphrase],
    ['with imported scripts', recorded('legacy-solvable')],
    ['with imported keys only', recorded('legacy-imported')],
    ['with 2,000 imported keys', largeWallet(2000)],
  ];
  const reports: HolesReport[] = [];
  for (const [name, file, secret] of wallets) {
    const report = { name, ...(await holesIn(Uint8Array.from(file), secret, count)) };
    reports.push(report);
    console.log(lineOf(report));
  }
  if (count === SAMPLE_SIZE)
    writeFileSync(fileURLToPath(new URL('../../docs/holes.svg', import.meta.url)), draw(reports));
  return reports.every(({ trials }) => trials.every(({ wrong }) => wrong === 0));
}

async function holesIn(file: Uint8Array, passphrase: string | undefined, count: number) {
  const whole = await keysOf(file, passphrase);
  const trials: HolesTrial[] = [];
  for (let seed = 1; seed <= count; seed += 1) {
    const { bytes, left } = withHoles(file, seed);
    const keys = await savedKeys(bytes, passphrase);
    const right = [...keys].filter((key) => whole.has(key)).length;
    trials.push({ left, saved: right / whole.size, wrong: keys.size - right });
  }
  return { keys: whole.size, trials };
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

function lineOf({ name, keys, trials }: HolesReport): string {
  const share = (of: (trial: HolesTrial) => number) =>
    `${((100 * trials.reduce((sum, trial) => sum + of(trial), 0)) / trials.length).toFixed(1)} %`;
  const wrong = trials.reduce((sum, trial) => sum + trial.wrong, 0);
  return `${name}: ${keys} keys, ${trials.length} times: ${share(({ left }) => left)} of the pages left, ${share(({ saved }) => saved)} of the keys saved, ${wrong} wrong keys`;
}

const COLOURS = ['#1864ab', '#c92a2a', '#2b8a3e', '#e67700', '#862e9c'];
const [LEFT, TOP, WIDE, HIGH] = [70, 30, 560, 400];

/** Draws a point for each trial: the share of the file that was left, and the share of the keys that were saved. */
function draw(reports: readonly HolesReport[]): string {
  const x = (left: number) => (LEFT + ((left - 0.4) / 0.6) * WIDE).toFixed(1);
  const y = (saved: number) => (TOP + (1 - saved) * HIGH).toFixed(1);
  const text = (at: readonly [x: number | string, y: number | string], label: string, anchor = 'middle') =>
    `<text x="${at[0]}" y="${at[1]}" text-anchor="${anchor}">${label}</text>`;
  const percents = [40, 50, 60, 70, 80, 90, 100];
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 595" font-family="sans-serif" font-size="13" fill="#343a40">`,
    '<rect width="680" height="595" fill="#fff"/>',
    ...[0, 20, 40, 60, 80, 100].flatMap((percent) => [
      `<path d="M${LEFT} ${y(percent / 100)}h${WIDE}" stroke="#dee2e6"/>`,
      text([LEFT - 8, Number(y(percent / 100)) + 4], `${percent} %`, 'end'),
    ]),
    ...percents.map((percent) => text([x(percent / 100), TOP + HIGH + 20], `${percent} %`)),
    `<path d="M${x(0.4)} ${y(0.4)}L${x(1)} ${y(1)}" stroke="#868e96" stroke-dasharray="4 4"/>`,
    text([LEFT + WIDE / 2, TOP + HIGH + 42], 'pages left'),
    text([LEFT, 18], 'private keys saved', 'start'),
    ...reports.flatMap(({ name, keys, trials }, at) => [
      ...trials.map(
        ({ left, saved }) =>
          `<circle cx="${x(left)}" cy="${y(saved)}" r="3" fill="${COLOURS[at]}" fill-opacity="0.5"/>`,
      ),
      `<circle cx="${LEFT + 6}" cy="${TOP + HIGH + 66 + at * 22}" r="5" fill="${COLOURS[at]}"/>`,
      text([LEFT + 20, TOP + HIGH + 70 + at * 22], `${name}: ${keys} keys`, 'start'),
    ]),
    '</svg>',
  ].join('\n')}\n`;
}
