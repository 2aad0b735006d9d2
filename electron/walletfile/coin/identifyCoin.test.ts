import { sha256 } from '@noble/hashes/sha2.js';
import { base58, bech32 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import type { RawRecord } from '../database/rawRecord.ts';
import { readEntries } from '../inspect/identifyWallet.ts';
import { recordsByType, writeRecord } from '../records/records.ts';
import { addressOf } from '../script/address.ts';
import { hash160, makeOutputScript, pushData } from '../script/script.ts';
import { transactionId } from '../script/transaction.ts';
import { foreignNote, hasForeignWallets, oldWallet, oldWallets } from '../testing/foreignWallets.ts';
import { keyRecords, sampleKey, transactionRecord } from '../testing/sampleWallet.ts';
import { walletFile, walletNames } from '../testing/wallets.ts';
import { BITCOIN, type Chain, coins, genesisBlocks } from './coins.ts';
import { coinsOfAddress, identifyCoin } from './identifyCoin.ts';

const hash = new Uint8Array(20).fill(7);
const found = (...records: RawRecord[]) => identifyCoin(recordsByType(records));
const named = (address: string) => writeRecord({ type: 'name', address, label: '' });
const client = (version: number) => writeRecord({ type: 'version', version });
const factsOf = (genesis: string) =>
  writeRecord({ type: 'bestblock_nomerkle', version: 1, blockHashes: ['ab'.repeat(32), genesis] });
const ownRecord = (type: string) => ({
  key: Uint8Array.of(type.length, ...new TextEncoder().encode(type), 1),
  value: Uint8Array.of(1),
});

/** An address of a version, of one byte or two. */
function base58Of(version: number, isRight = true): string {
  const data = Uint8Array.of(...(version > 0xff ? [version >> 8, version & 0xff] : [version]), ...hash);
  const sum = sha256(sha256(data)).subarray(0, 4);
  return base58.encode(Uint8Array.of(...data, ...(isRight ? sum : [1, 2, 3, 4])));
}

const segwitOf = (prefix: string) => bech32.encode(prefix, [0, ...bech32.toWords(hash)]);

describe('the table of coins', () => {
  it('is well-formed, each with its source', () => {
    expect(new Set(coins.map(({ name }) => name)).size).toBe(coins.length);
    for (const { name, source, chains } of coins) {
      expect(source, name).toMatch(/^\w[\w-]*\/\w[\w-]* \S+ .*(?:chainparams|main)\.cpp/);
      for (const { genesis, magic, p2pkh, p2sh, wif } of chains) {
        if (genesis !== null) expect(genesis, name).toMatch(/^[0-9a-f]{64}$/);
        if (magic !== null) expect(magic, name).toMatch(/^[0-9a-f]{8}$/);
        for (const version of [...p2pkh, ...p2sh, ...wif]) expect(version, name).toBeGreaterThanOrEqual(0);
      }
    }
  });
});

const others = coins.filter(({ name }) => name !== BITCOIN);

describe('the coin of a wallet', () => {
  /** A file of each coin made by all that the table knows of it. */
  it.each(others)('$name: is recognised by its unique features', (coin) => {
    const samples: [what: string, ...RawRecord[]][] = [
      ...coin.chains.flatMap(({ genesis }) =>
        genesis === null ? [] : [['block', factsOf(genesis)] as const],
      ),
      ...coin.chains.flatMap(({ prefixes }) =>
        prefixes.map((prefix) => ['prefix', named(segwitOf(prefix))] as const),
      ),
      ...coin.records.map((type) => ['record', ownRecord(type)] as const),
      ...(coin.versions ? [['client', client(coin.versions.from)] as const] : []),
      ...mainVersions(coin.chains).map((version) => ['address', named(base58Of(version))] as const),
    ].map(([what, ...records]) => [what, ...records]);
    expect(samples).not.toEqual([]);
    for (const [what, ...records] of samples) {
      const { verdict, coins: possible, evidence } = found(...records);
      expect(evidence, what).toHaveLength(1);
      expect(possible, what).toContain(coin.name);
      expect(verdict, what).toBe(possible.includes(BITCOIN) ? 'ambiguous' : 'other');
    }
  });

  it.each(Object.entries(genesisBlocks))('is Bitcoin by the first block of %s', (_, genesis) => {
    expect(found(factsOf(genesis))).toMatchObject({ verdict: 'bitcoin', coins: [BITCOIN], programs: [] });
  });

  it('is Bitcoin if an address is valid for Bitcoin only, and unknown if other coins share its form', () => {
    expect(found(named(base58Of(0))).verdict).toBe('bitcoin');
    expect(found(named(segwitOf('bc'))).verdict).toBe('bitcoin');
    const toScripts = found(named(base58Of(5)));
    expect(toScripts).toMatchObject({ verdict: 'ambiguous' });
    expect(toScripts.coins).toEqual(expect.arrayContaining([BITCOIN, 'Litecoin']));
    expect(found(named(base58Of(5)), named(base58Of(48)))).toMatchObject({
      verdict: 'other',
      coins: ['Litecoin'],
      programs: ['Litecoin Core'],
    });
  });

  it('is known from its undamaged addresses, however many damaged ones come first', () => {
    const damaged = Array.from({ length: 200 }, () => ({ ...named(base58Of(0)), value: Uint8Array.of(9) }));
    const addressAfter = named(segwitOf('bc'));
    expect(found(...damaged).verdict).toBe('unknown');
    expect(found(...damaged, addressAfter).verdict).toBe('bitcoin');
  });

  it('is unknown without evidence', () => {
    expect(found(client(180_100))).toEqual({ verdict: 'unknown', coins: [], programs: [], evidence: [] });
  });

  it.each([
    ['Bitcoin Cash', client(28_000_100)],
    ['Bitcoin SV', client(101_020_200)],
    ['Bitcoin Gold', named(base58Of(38))],
  ])('%s: keys of before the split may hold bitcoin too', (name, record) => {
    expect(found(factsOf(genesisBlocks.main), record)).toMatchObject({
      verdict: 'ambiguous',
      coins: [BITCOIN, name],
    });
  });

  describe('whose transactions are signed for a chain that split off', () => {
    const key = sampleKey(1);
    const toKey = makeOutputScript({ kind: 'p2pkh', keyHash: hash160(key.publicKey) });
    /** A payment to the wallet's key. */
    const { txid: paid, record: payment } = transactionRecord([toKey]);
    /** One input with this script, or this witness, that spends the payment or a coin of somebody else. */
    const signed = (
      scriptSig: Uint8Array,
      { time = 1_600_000_000, witness = [] as Uint8Array[], spends = 'ab'.repeat(32) } = {},
    ) => {
      const input = { txid: spends, index: 0, scriptSig, sequence: time, witness };
      const output = { value: 1n, scriptPubKey: Uint8Array.of(0x51) };
      const transaction = { version: 2, inputs: [input], outputs: [output], lockTime: 0 };
      const none = { merkleBranch: [], previous: [], mapValue: [], orderForm: [] };
      const place = { blockHash: '22'.repeat(32), index: 0, timeReceivedIsTxTime: 1, timeReceived: time };
      const txid = transactionId(transaction);
      return writeRecord({ type: 'tx', txid, transaction, ...none, ...place, fromMe: false, spent: false });
    };
    const own = (scriptSig: Uint8Array) => [...keyRecords(key), payment, signed(scriptSig, { spends: paid })];
    const der = (type: number) => Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1, 1, type);
    const by = (signature: Uint8Array) => Uint8Array.of(...pushData(signature), ...pushData(key.publicKey));
    const schnorr = Uint8Array.of(...new Uint8Array(64).fill(9), 0x41);
    const usual = [factsOf(genesisBlocks.main), client(190_500), named(base58Of(0))];

    it.each([
      ['by ECDSA', by(der(0x41))],
      ['for all and any', by(der(0xc1))],
      ['by Schnorr', by(schnorr)],
    ])('is never Bitcoin’s if its own key signed: %s', (_, script) => {
      const before = signed(by(der(1)), { time: 1_400_000_000 });
      const coins = ['Bitcoin Cash', 'Bitcoin SV'];
      expect(found(...usual, before, ...own(script))).toMatchObject({ verdict: 'other', coins });
      expect(found(...usual, ...own(script), signed(by(der(1)))).verdict).toBe('ambiguous');
    });

    // Any 65 bytes can stand in a payment to the wallet.
    it('may be Bitcoin’s if only others signed; its header or an address proves it', () => {
      const coins = [BITCOIN, 'Bitcoin Cash', 'Bitcoin SV'];
      expect(found(...usual, signed(by(schnorr)))).toMatchObject({ verdict: 'ambiguous', coins });
      const segwit = named(
        addressOf(makeOutputScript({ kind: 'p2wpkh', keyHash: new Uint8Array(20) }), 'main') ?? '',
      );
      expect(found(...usual, segwit, signed(by(schnorr))).verdict).toBe('bitcoin');
      expect(identifyCoin(recordsByType([signed(by(schnorr))]), 'main').verdict).toBe('bitcoin');
    });

    it('is Bitcoin Gold’s with its addresses, and Bitcoin’s with usual signatures', () => {
      const gold = found(factsOf(genesisBlocks.main), named(base58Of(38)), ...own(by(der(0x41))));
      expect(gold).toMatchObject({ verdict: 'other', coins: ['Bitcoin Gold'] });
      const byOthers = (version: number) => found(named(base58Of(version)), signed(by(der(0x41))));
      expect(byOthers(38)).toMatchObject({ verdict: 'other', coins: ['Bitcoin Gold'] });
      expect(byOthers(48)).toMatchObject({ verdict: 'other', coins: ['Litecoin'] });
      const witness = [der(1), key.publicKey];
      for (const record of [signed(by(der(1))), signed(by(der(0x83))), signed(new Uint8Array(), { witness })])
        expect(found(...usual, record).verdict).toBe('bitcoin');
      expect(found(...usual, signed(by(der(1)), { time: 1_400_000_000 })).verdict).toBe('bitcoin');
    });
  });

  it('distinguishes coins with the same first block by other evidence', () => {
    const dogecoin = '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691';
    expect(found(factsOf(dogecoin)).coins).toEqual(['Dogecoin', 'Soqucoin']);
    expect(found(factsOf(dogecoin), named(base58Of(30))).coins).toEqual(['Dogecoin']);
  });

  it('has no program if its network no longer exists', () => {
    const testnet2 = '00000007199508e34a9ff81e6ec0c477a4cccff2a4767a8eee39c11db367b008';
    expect(found(factsOf(testnet2))).toMatchObject({
      verdict: 'other',
      coins: ['Bitcoin testnet 2', 'Namecoin'],
      programs: [],
    });
  });

  it('is another coin, known or not, if its first block is not Bitcoin’s', () => {
    const unknown = found(factsOf('cd'.repeat(32)), named(base58Of(111)), client(1_010_004));
    expect(unknown).toMatchObject({ verdict: 'other', coins: [], programs: [] });
    // Monacoin's addresses to keys begin as Litecoin's to scripts.
    const monacoin = found(factsOf('ff'.repeat(32)), named(base58Of(50)));
    expect(monacoin).toMatchObject({ verdict: 'other', coins: [], programs: [] });
  });

  it('is known from a damaged first block, and from its header if the first block is unknown', () => {
    const damaged = factsOf(genesisBlocks.main.replace('19d6689c', '19d6689d'));
    expect(found(damaged)).toMatchObject({ verdict: 'bitcoin', coins: [BITCOIN] });
    const dash = '00000ffd590b1485b3caadc19b22e6379c733355108f107a430458cdf3407ab6';
    expect(found(factsOf(dash.replace('590b', '590f')))).toMatchObject({ verdict: 'other', coins: ['Dash'] });
    const unknown = factsOf('cd'.repeat(32));
    expect(identifyCoin(recordsByType([unknown]), 'main').verdict).toBe('bitcoin');
    expect(found(unknown, named(base58Of(0)))).toMatchObject({ verdict: 'ambiguous', coins: [BITCOIN] });
  });

  it('is not an address with a wrong checksum, except Groestlcoin’s own checksum', () => {
    expect(coinsOfAddress(base58Of(48, false))).toEqual([]);
    expect(coinsOfAddress(base58Of(36, false))).toEqual(['Groestlcoin']);
    expect(coinsOfAddress('x'.repeat(5000))).toEqual([]);
    expect(coinsOfAddress('a label')).toEqual([]);
  });

  it.each(walletNames)('%s is Bitcoin’s', async (name) => {
    const { records, network } = await readEntries(walletFile(name));
    expect(identifyCoin(recordsByType(records), network)).toMatchObject({
      verdict: 'bitcoin',
      coins: [BITCOIN],
    });
  });
});

const wanted = { dash: ['Dash'], soqucoin: ['Dogecoin', 'Soqucoin'], zcash: ['Zcash'] };

describe.runIf(hasForeignWallets)(`the coin of wallets of other programs${foreignNote}`, () => {
  it.each(oldWallets)('$name', async ({ name, isBitcoin }) => {
    const { records, network } = await readEntries(oldWallet(name));
    const byType = recordsByType(records);
    const coin = Object.entries(wanted).find(([start]) => name.startsWith(start))?.[1];
    expect(identifyCoin(byType, network)).toMatchObject(
      isBitcoin ? { verdict: 'bitcoin', coins: [BITCOIN] } : { verdict: 'other', coins: coin },
    );
    if (isBitcoin) expect(byType.unread()).toEqual({ unknown: [], damaged: [] });
  });
});

/** Of the chain whose coins have a price. */
function mainVersions(chains: readonly Chain[]): number[] {
  const main = chains.find(({ name }) => name === 'main');
  return [...(main?.p2pkh ?? []), ...(main?.p2sh ?? [])];
}
