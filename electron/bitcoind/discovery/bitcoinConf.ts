/** Reads `bitcoin.conf` as the node does: `src/common/config.cpp` and `src/common/settings.cpp` are the reference. */
import { join, resolve } from 'node:path';
import {
  chainNames,
  chainOfNetwork,
  type Network,
  networkOfChain,
  networks,
} from '../../../shared/model/network.ts';
import { firstBytes, openRegularFile } from '../../files/openFile.ts';

export type BitcoinConf = NonNullable<Awaited<ReturnType<typeof readBitcoinConf>>>;

interface ConfSetting {
  /** Empty for settings above the first section. */
  readonly section: string;
  readonly name: string;
  /** False if negated. */
  readonly value: string | false;
}

/** The configuration of a data folder; null if there is no readable file. */
export async function readBitcoinConf(dataFolder: string) {
  const file = await readText(join(dataFolder, 'bitcoin.conf'));
  if (file === null) return null;
  const { owner } = file;
  const own = parseBitcoinConf(file.text);
  const include = includer(dataFolder, owner);
  const all = new Map<Network, readonly ConfSetting[]>();
  for (const network of networks) all.set(network, [...own, ...(await include.of(own, network))]);
  const settingsOf = (network: Network) => all.get(network) ?? own;
  const selected = selectedNetwork(own);
  return {
    /** The user id of the file's owner. Included files have the same owner. */
    owner,
    /** Whether it includes more files than the app reads: settings may be missing. */
    partly: include.leftOut(),
    /** The network of a node started without arguments. */
    network: selected,
    /** Whether the file selects the network or has settings for it. */
    mentions: (network: Network) =>
      network === selected || own.some((setting) => setting.section === chainOfNetwork(network)),
    /** A single value, as text; null if negated (`nofoo=1`), undefined if not set. */
    value: (network: Network, name: string) => singleValue(settingsOf(network), network, name),
    /** Every value of a setting that may repeat. */
    values: (network: Network, name: string) => allValues(settingsOf(network), network, name),
  };
}

/**
 * The settings of a file, in order. Skips lines that the node would refuse: such a node does not start, but the other
 * settings are still useful.
 */
export function parseBitcoinConf(text: string): ConfSetting[] {
  const settings: ConfSetting[] = [];
  let prefix = '';
  for (const raw of text.split('\n')) {
    const line = trimmed(raw.split('#', 1)[0] ?? '');
    if (line.startsWith('[') && line.endsWith(']')) {
      prefix = `${line.slice(1, -1)}.`;
      continue;
    }
    const equals = line.indexOf('=');
    if (equals < 0 || line.startsWith('-')) continue;
    const key = prefix + trimmed(line.slice(0, equals));
    settings.push(settingOf(key, trimmed(line.slice(equals + 1))));
  }
  return settings;
}

/**
 * Outside main these settings count only in the network's own section: `NETWORK_ONLY` in `init.cpp` and
 * `wallet/init.cpp`.
 */
const networkOnly = new Set([
  'addnode',
  'bind',
  'connect',
  'port',
  'rpcbind',
  'rpcport',
  'wallet',
  'walletdir',
]);
const MAX_FILE_SIZE = 1_000_000;

function settingOf(key: string, value: string): ConfSetting {
  const dot = key.indexOf('.');
  const section = dot < 0 ? '' : key.slice(0, dot);
  const name = key.slice(dot + 1);
  if (!name.startsWith('no')) return { section, name, value };
  // `nofoo=0` is `foo=1`.
  return { section, name: name.slice(2), value: isTrue(value) ? false : '1' };
}

/** Limits for included files and their total bytes. Nodes include a few files of a few lines. */
const MAX_INCLUDED = 32;
const MAX_BYTES = 4 * MAX_FILE_SIZE;

/**
 * Reads one level of includes, the network's section before the top, like the node (`ReadConfigFiles` of
 * `src/common/config.cpp`). Skips files of other users: a password in them is not meant for whoever could include
 * them here. Reads each file once, because repeated settings add nothing.
 */
function includer(dataFolder: string, owner: number) {
  const read = new Map<string, readonly ConfSetting[]>();
  let bytes = 0;
  let leftOut = false;
  async function settingsIn(path: string): Promise<readonly ConfSetting[]> {
    const known = read.get(path);
    if (known !== undefined) return known;
    if (read.size === MAX_INCLUDED || bytes >= MAX_BYTES) {
      leftOut = true;
      return [];
    }
    const file = await readText(path);
    bytes += file?.text.length ?? 0;
    const settings = file?.owner === owner ? parseBitcoinConf(file.text) : [];
    read.set(path, settings);
    return settings;
  }
  return {
    /** Reads the files in turn, so that only their settings are in memory together. */
    async of(own: readonly ConfSetting[], network: Network): Promise<ConfSetting[]> {
      const named = [chainOfNetwork(network), ''].flatMap((section) =>
        valuesInSection(own, section, 'includeconf'),
      );
      const paths = new Set([...new Set(named)].map((file) => resolve(dataFolder, file)));
      const settings: ConfSetting[] = [];
      for (const path of paths) for (const setting of await settingsIn(path)) settings.push(setting);
      return settings;
    },
    /** Whether the limits excluded a file. */
    leftOut: () => leftOut,
  };
}

/** The first value in a file counts, the network's section before the top. */
function singleValue(
  settings: readonly ConfSetting[],
  network: Network,
  name: string,
): string | null | undefined {
  for (const section of [chainOfNetwork(network), '']) {
    if (isNegated(settings, section, name)) return null;
    if (section === '' && !topSectionApplies(network, name)) return undefined;
    const first = valuesInSection(settings, section, name)[0];
    if (first !== undefined) return first;
  }
  return undefined;
}

function allValues(settings: readonly ConfSetting[], network: Network, name: string): string[] {
  const section = chainOfNetwork(network);
  const ofNetwork = valuesInSection(settings, section, name);
  if (!topSectionApplies(network, name) || isNegated(settings, section, name)) return ofNetwork;
  return [...ofNetwork, ...valuesInSection(settings, '', name)];
}

function topSectionApplies(network: Network, name: string): boolean {
  return network === 'main' || !networkOnly.has(name);
}

/** The values in one section after the last negation. */
function valuesInSection(settings: readonly ConfSetting[], section: string, name: string): string[] {
  const values = settings
    .filter((setting) => setting.section === section && setting.name === name)
    .map((setting) => setting.value);
  return values.slice(values.lastIndexOf(false) + 1).filter((value) => value !== false);
}

function isNegated(settings: readonly ConfSetting[], section: string, name: string): boolean {
  const last = settings.findLast((setting) => setting.section === section && setting.name === name);
  return last?.value === false;
}

/** `chain=` takes precedence over the older switches, whose last value counts: `ArgsManager::GetChainArg`. */
function selectedNetwork(settings: readonly ConfSetting[]): Network {
  const chain = valuesInSection(settings, '', 'chain')[0];
  const byChain = chainNames.find((name) => name === chain);
  if (byChain !== undefined) return networkOfChain(byChain);
  const on = SWITCHES.find((name) => isTrue(valuesInSection(settings, '', name).at(-1) ?? '0'));
  return on === 'testnet' ? 'testnet3' : (on ?? 'main');
}

const SWITCHES = ['regtest', 'signet', 'testnet', 'testnet4'] as const;

/** `InterpretBool`: an empty value is true, other text only if it begins with a number other than 0. */
function isTrue(value: string): boolean {
  return value === '' || (Number.parseInt(value, 10) || 0) !== 0;
}

function trimmed(text: string): string {
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}

/** A file's text and its owner's user id, after following links. */
async function readText(path: string): Promise<{ text: string; owner: number } | null> {
  try {
    await using file = await openRegularFile(path);
    // Reads at most one buffer, even if the file grows.
    const bytes = await firstBytes(file, MAX_FILE_SIZE + 1);
    if (bytes.length > MAX_FILE_SIZE) return null;
    return { text: bytes.toString('utf8'), owner: (await file.stat()).uid };
  } catch {
    return null;
  }
}
