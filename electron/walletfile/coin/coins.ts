/** The coins whose nodes store wallets as Bitcoin Core does, and how to recognise their files. */
import { type Network, networks } from '../../../shared/model/network.ts';
import { chainParameters } from '../script/address.ts';

export interface Chain {
  /** As its source calls it. */
  readonly name: string;
  /**
   * Hash of block 0 in displayed hex, the last entry of a wallet's block locator. Null if the chain shares block 0 with a
   * Bitcoin chain.
   */
  readonly genesis: string | null;
  /** The four bytes that begin each message, also the number in a descriptor wallet's header. In hex; null if shared. */
  readonly magic: string | null;
  /**
   * Version bytes of base58 addresses to keys, to scripts, and of private keys; some coins use two bytes. Empty if a coin
   * shares them with Bitcoin after a chain split.
   */
  readonly p2pkh: readonly number[];
  readonly p2sh: readonly number[];
  readonly wif: readonly number[];
  /** Prefixes of bech32 and similar addresses. */
  readonly prefixes: readonly string[];
}

interface Coin {
  readonly name: string;
  /** The program that opens its wallets; null if none exists any more. */
  readonly program: string | null;
  /** The source of the figures, with commit or tag. */
  readonly source: string;
  readonly chains: readonly Chain[];
  /** Types of records that no release of Bitcoin Core writes. */
  readonly records: readonly string[];
  /** Client numbers (`version` record) that cannot be Bitcoin Core's, which are below a million. */
  readonly versions: { readonly from: number; readonly to: number } | null;
}

/** Block 0 of each network. Custom signets share the default signet's. Source: `kernel/chainparams.cpp`. */
export const genesisBlocks: Readonly<Record<Network, string>> = {
  main: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  testnet3: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
  testnet4: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
  signet: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
  regtest: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
};

export const BITCOIN = 'Bitcoin';

/** Bitcoin first. Other evidence distinguishes coins with the same first block. */
export const coins: readonly Coin[] = [
  coin(BITCOIN, 'Bitcoin Core', {
    source: 'bitcoin/bitcoin b88bffe550a3 src/kernel/chainparams.cpp',
    chains: networks
      .map((name) => {
        const { magic, p2pkh, p2sh, wif, hrp } = chainParameters[name];
        return [name, genesisBlocks[name], hexOf(magic), p2pkh, p2sh, wif, hrp].join(' ');
      })
      .join('\n'),
  }),
  coin('Bitcoin testnet 1', null, {
    source: 'bitcoin/bitcoin 5cbf75324d main.cpp (October 2010)',
    chains: `
      testnet  0000000224b1593e3ff16a0e3b61285bbc393a39f78c8aa48c456142671f7110 - - - - -`,
  }),
  coin('Bitcoin testnet 2', null, {
    source: 'bitcoin/bitcoin 98ba262a48 main.cpp (February 2011, until feeb761ba0 of May 2012)',
    chains: `
      testnet2 00000007199508e34a9ff81e6ec0c477a4cccff2a4767a8eee39c11db367b008 - - - - -`,
  }),
  coin('Litecoin', 'Litecoin Core', {
    source: 'litecoin-project/litecoin v0.21.5.5 src/chainparams.cpp, src/wallet/walletdb.cpp',
    records: 'mweb_coin',
    chains: `
      main     12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2 fbc0b6db 48 5,50 176 ltc,ltcmweb
      test     4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0 fdd2c8f1 111 196,58 239 tltc,tmweb
      regtest  530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9 - 111 196,58 239 rltc`,
  }),
  coin('Dogecoin', 'Dogecoin Core', {
    source: 'dogecoin/dogecoin 7237da74b (1.14.7) src/chainparams.cpp, src/clientversion.h',
    versions: { from: 1_000_000, to: 1_999_999 },
    chains: `
      main     1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691 c0c0c0c0 30 22 158 -
      test     bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e fcc1b7dc 113 196 241 -
      regtest  3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5 - 111 196 239 -`,
  }),
  coin('Dash', 'Dash Core', {
    source: 'dashpay/dash 00dab8b1869e src/chainparams.cpp, src/wallet/walletdb.cpp',
    records: 'hdpubkey chdchain',
    chains: `
      main     00000ffd590b1485b3caadc19b22e6379c733355108f107a430458cdf3407ab6 bf0c6bbd 76 16 204 -
      test     00000bafbc94add76cb75e2ec92894837288a481e5c005f6563d91623bf8bc2c cee2caff 140 19 239 -
      regtest  000008ca1832a4baf228eb1553c03d3a2c8e02399550dd6ea8d65cec3ef23d2e - 140 19 239 -`,
  }),
  coin('Namecoin', 'Namecoin Core', {
    source: 'namecoin/namecoin-core nc31.1 src/kernel/chainparams.cpp, src/wallet/walletdb.cpp',
    records: 'queued_tx',
    chains: `
      main     000000000062b72c5e2ceb45fbc8587e807c155b0da735e6483dfba2f0a9c770 f9beb4fe 52 13 180 nc
      test     00000007199508e34a9ff81e6ec0c477a4cccff2a4767a8eee39c11db367b008 fabfb5fe 111 196 239 tn
      regtest  - - 111 196 239 ncrt`,
  }),
  coin('Peercoin', 'Peercoin', {
    source: 'peercoin/peercoin v0.15.0ppc src/chainparams.cpp',
    chains: `
      main     0000000032fe677166d54963b62a4677d8957e87c508eaa4fd7eb1c880cd27e3 e6e8e9e5 55 117 183 pc
      test     00000001f757bb737f6596503e17cd17b0658ce630cc727c0cca81aec47c9f06 cbf2c0ef 111 196 239 tpc,pcrt`,
  }),
  coin('Zcash', 'zcashd', {
    source:
      'zcash/zcash 558f68659958 (6.20.0) src/chainparams.cpp, src/wallet/walletdb.cpp, src/clientversion.h',
    records: `
      chdseed cmnemonicphrase csapzkey czkey hdseed mnemonichdchain mnemonicphrase networkinfo
      orchard_note_commitment_tree recipientmapping sapextfvk sapzaddr sapzkey sapzkeymeta unifiedaccount
      unifiedaddrmeta unifiedfvk vkey witnesscachesize zkey zkeymeta`,
    versions: { from: 1_000_000, to: 6_999_999 },
    chains: `
      main     00040fe8ec8471911baa1db1266ea15dd06b4a8a5c453883c000b031973dce08 24e92764 0x1cb8 0x1cbd - zs
      test     05a60a92d99d85997cce3b87616c089f6124d7342af37106edc76126334a2c38 fa1af9bf 0x1d25 0x1cba - ztestsapling
      regtest  029f11d80ef9765602235e1bc9727e3eb6ba20839319f761fee920d63401e327 aae83f5f 0x1d25 0x1cba - zregtestsapling`,
  }),
  coin('Bitcoin Cash', 'Bitcoin Cash Node', {
    source: 'bitcoin-cash-node/bitcoin-cash-node v28.0.1 src/chainparams.cpp, src/clientversion.h',
    versions: { from: 22_000_000, to: 39_999_999 },
    chains: `
      main     - e3e1f3e8 - - - bitcoincash
      test     - f4e5f3f4 - - - bchtest
      test4    000000001dd410c49a788668ce26751718cc797474d3152a5fc073dd44fd9f7b e2b7daaf - - - bchtest
      scalenet 00000000e6453dc2dfe1ffa19023f86002eb11dbb8e87d0291a4599f0430be52 c3afe1a2 - - - bchtest
      regtest  - dab5bffa - - - bchreg`,
  }),
  coin('Bitcoin SV', 'Bitcoin SV', {
    source: 'bitcoin-sv/bitcoin-sv v1.2.2 src/chainparams.cpp, src/clientversion.h (SV_VERSION_SHIFT)',
    versions: { from: 100_000_000, to: 199_999_999 },
    chains: `
      stn      - fbcec4f9 - - - -`,
  }),
  coin('Bitcoin Gold', 'Bitcoin Gold Core', {
    source: 'BTCGPU/BTCGPU 1b85f0953725 src/chainparams.cpp',
    chains: `
      main     - e1476d44 38 23 - btg
      test     00000000e0781ebe24b91eedc293adfea2f557b53ec379e78959de3853e6f9f6 e2486e45 111 196 239 tbtg
      regtest  - - 111 196 239 btgrt`,
  }),
  coin('DigiByte', 'DigiByte Core', {
    source: 'DigiByte-Core/digibyte v7.17.3 src/chainparams.cpp, src/clientversion.h',
    versions: { from: 4_000_000, to: 8_999_999 },
    chains: `
      main     7497ea1b465eb39f1c8f507bc877078fe016d6fcb6dfad3a64c98dcc6e1e8496 fac3b6da 30 5,63 128,158 dgb
      test     308ea0711d5763be2995670dd9ca9872753561285a84da1d58be58acaa822252 fdc8bddd 126 140 254 dgbt
      regtest  4598a0f2b823aaf9e77ee6d5e46f1edb824191dcd48b08437b7cec17e6ae6e26 - 126 140 254 dgbrt`,
  }),
  coin('Vertcoin', 'Vertcoin Core', {
    source: 'vertcoin-project/vertcoin-core efc96b71d0f9 src/chainparams.cpp',
    chains: `
      main     4d96a915f49d40b1e5c2844d1ee2dccb90013a990ccea12c492d22110489f0c4 - 71 5 128 vtc
      test     cee8f24feb7a64c8f07916976aa4855decac79b6741a8ec2e32e2747497ad2c9 76657274 74 196 239 tvtc
      signet   c5e39ee7150e81738eb9fdeabe2d5c7d533eeea2ddd42bbaf531a040a0b25179 - 75 196 239 svtc
      regtest  2399c0b047ebbbd1650d66867206c97317027b1a1932bc6fc17ce833dc4a85ce fabeb5db 74 196 239 rvtc`,
  }),
  coin('Feathercoin', 'Feathercoin Core', {
    source: 'FeatherCoin/Feathercoin 30cda5d5f8dc src/chainparams.cpp',
    chains: `
      main     12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2 41151a21 14 5 142 fc
      test     79e4683a94fb0374ac9d52638b594dcf0318975acb8b275e280f93c082c0964c 91656a71 111 196 239 tf
      regtest  c797e583cd93b97b1370a687519606abebd2b84fc4294b0e7584f59187e23ebb d1a5aab1 111 196 239 fcrt`,
  }),
  coin('Qtum', 'Qtum Core', {
    source: 'qtumproject/qtum a3956895faa9 src/kernel/chainparams.cpp, src/wallet/walletdb.cpp',
    records: 'contractdata delegation superstaker token tokentx',
    chains: `
      main     000075aef83cf2853580f8ae8ce6f8c3096cfa21d98334d6e3f95e5582ed986c f1cfa6d3 58 50 128 qc
      test     0000e803ee215c0684ca0d2f9220594d3f828617972aad66feb2ba51f5e14222 0d221506 120 110 239 tq
      signet   0000e0d4bc95abd1c0fcef0abb2795b6e8525f406262d59dc60cd3c490641347 - 120 110 239 tq
      regtest  665ed5b402ac0b44efc37d8926332994363e8a7278b7ee9a58fb972efadae943 fdddc6e1 120 110 239 qcrt`,
  }),
  coin('Particl', 'Particl Core', {
    source: 'particl/particl-core 93278f83463f src/kernel/chainparams.cpp, src/wallet/hdwalletdb.cpp',
    records: 'abe aki eacc ecpk ek32 eknm elck epak espk ine ins lao lns luo ris rtx stx sxad sxkm wset',
    chains: `
      main     0000ee0784c195317ac95623e22fddb8c7b8825dc3998e0bb924d66866eccf4c fbf2efb4 56,57 60,61 108 pw
      test     0000594ada5310b367443ee0afd4fa3d0bbd5850ea4e33cdc7d6a904a7ec7c90 0811050b 118,119 122,123 46 tpw
      regtest  6cd174536c0ada5bfa3b8fde16b98ae508fff6586f2ee24cf866867098f25907 0912060c 118,119 122,123 46 rtpw`,
  }),
  coin('Groestlcoin', 'Groestlcoin Core', {
    source: 'Groestlcoin/groestlcoin 88db63f976fb src/kernel/chainparams.cpp',
    chains: `
      main     00000ac5927c594d49cc0bdb81759d0da8297eb614683d3acb62f0703b639023 f9beb4d4 36 - - grs
      test     000000ffbb50fc9898cdd36ec163e6ba23230164c0052a28876255b7dcf2cd36 - - - - tgrs,grsrt
      testnet4 000000519399f41322d7a8c24bfdc409aa13a80160b43a57668c2ad62802fa5c - - - - tgrs
      signet   0000007fcaa2a27993c6cde9e7818c254357af517b876ceba2f23592bb14ab31 - - - - tgrs`,
  }),
  coin('Soqucoin', 'Soqucoin Core', {
    source: 'soqucoin/soqucoin 146390a8d60e src/chainparams.cpp, src/clientversion.h',
    versions: { from: 1_000_000, to: 1_999_999 },
    chains: `
      main     1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691 f5e1d5c1 0x3f16 0x0912 158 sq
      stagenet 97df3ae79eaf5623c0feecfa1079439f8acdfea06a0f2acb4ef63c6b9ad91bb0 5354474e 125 100 253 ssq
      regtest  3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5 - 111 196 239 sq`,
  }),
];

/** Names of the coins with such a chain, in the order of the table. */
export function coinsWith(isTrue: (chain: Chain) => boolean): string[] {
  return coins.filter(({ chains }) => chains.some(isTrue)).map(({ name }) => name);
}

/** The first block of a known chain from which this hash differs in at most 32 bits; otherwise the hash itself. Chance: 1 in 10^27. */
export function repairedFirstBlock(hash: string): string {
  const known = coins.flatMap(({ chains }) => chains.flatMap(({ genesis }) => genesis ?? []));
  return known.find((one) => one === hash) ?? known.find((one) => countDifferences(one, hash) <= 32) ?? hash;
}

/** Bits. */
function countDifferences(one: string, other: string): number {
  return (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(2).replaceAll('0', '').length;
}

/** Whether Bitcoin has a network with this first block. */
export function isBitcoinsFirstBlock(hash: string): boolean {
  return Object.values(genesisBlocks).includes(hash);
}

/** Names of the coins whose wallets have this application id in SQLite's header: the magic bytes of their network. */
export function coinsOfApplicationId(applicationId: number): string[] {
  return coinsWith(({ magic }) => magic === hexOf(applicationId));
}

function hexOf(magic: number): string {
  return magic.toString(16).padStart(8, '0');
}

interface CoinRow extends Pick<Coin, 'source'>, Partial<Pick<Coin, 'versions'>> {
  /** Separated by white space. */
  readonly records?: string;
  /** One line a chain: name, block 0, magic, versions of addresses to keys, to scripts, of private keys, prefixes. */
  readonly chains: string;
}

function coin(
  name: string,
  program: string | null,
  { source, chains, records = '', versions = null }: CoinRow,
): Coin {
  const types = records.match(/\S+/g) ?? [];
  return { name, program, source, chains: chains.trim().split('\n').map(chainOf), records: types, versions };
}

function chainOf(line: string): Chain {
  const [name = '', ...cells] = line.trim().split(/\s+/);
  const [genesis = [], magic = [], p2pkh = [], p2sh = [], wif = [], prefixes = []] = cells.map((cell) =>
    cell === '-' ? [] : cell.split(','),
  );
  return {
    name,
    genesis: genesis[0] ?? null,
    magic: magic[0] ?? null,
    prefixes,
    p2pkh: p2pkh.map(Number),
    p2sh: p2sh.map(Number),
    wif: wif.map(Number),
  };
}
