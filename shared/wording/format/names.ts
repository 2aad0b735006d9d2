/** Names as people read them: of wallets and their kinds, with the problems of a new name, of networks, and paths with `~` for the home folder. */
import { visibleText } from '../../model/names/visibleText.ts';
import type { NameProblem } from '../../model/names/walletName.ts';
import type { Network } from '../../model/network.ts';
import type { Wallet } from '../../model/wallet.ts';
import { asSentence } from '../findings/hints.ts';
import { say } from '../say.ts';
import { oneOf } from './perRegion.ts';

export const UNNAMED = say('Unnamed wallet');

/** For accessible names and titles. */
export function walletLabel(name: string): string {
  return name === '' ? UNNAMED : visibleText(name, { spaces: true });
}

/** Within a sentence or a line: `“savings”`. */
export function quotedWallet(name: string): string {
  return name === '' ? UNNAMED : `“${visibleText(name, { spaces: true })}”`;
}

/** As the subject or object of a sentence: `“savings”`, or `the unnamed wallet`. */
export function nameInSentence(name: string): string {
  return name === '' ? say('the unnamed wallet') : quotedWallet(name);
}

/** For the name of a wallet that exists, loaded or not. */
export function takenNameText(name: string): string {
  return say('{wallet} already exists. It stays as it is.', { wallet: quotedWallet(name) });
}

/** The problem of a new wallet's name, in a sentence next to the field. */
export function nameProblemText(problem: NameProblem): string {
  return TEXTS[problem];
}

const TEXTS: Readonly<Record<NameProblem, string>> = {
  empty: say('Give the wallet a name.'),
  control_character: say('No control characters.'),
  unpaired_surrogate: say('No unpaired surrogates.'),
  invisible_character: say('No invisible characters.'),
  backslash: say('No backslashes.'),
  drive_letter: say('No drive letter at the start.'),
  taken: say('This name is taken.'),
  windows_character: say('No <>:"|?* on Windows.'),
  windows_ending: say('No final dot or space on Windows.'),
  windows_device: say('Reserved by {program}.', { program: 'Windows' }),
  leads_out: say('Stay inside the wallets folder.'),
  empty_part: say('Slashes must separate names.'),
  reserved_by_app: say('No “.wallet-ferry-” at the start.'),
  reserved_by_node: say('Reserved by {program}.', { program: 'Bitcoin Core' }),
  too_long: asSentence(say('The name is too long')),
};

/** Null for an unknown kind. */
export const KIND_NAMES: Readonly<Record<Wallet['kind'], string | null>> = {
  descriptor: say('Descriptor'),
  legacy: say('Legacy'),
  interrupted: say('Interrupted'),
  unknown: null,
};

export function networkName(network: Network): string {
  return NAMES[network];
}

/** `Testnet 3, Signet or Regtest`. */
export function anyNetwork(networks: readonly Network[]): string {
  return oneOf(networks.map(networkName));
}

const NAMES: Readonly<Record<Network, string>> = {
  main: say('Main network'),
  testnet3: say('Testnet 3'),
  testnet4: say('Testnet 4'),
  signet: say('Signet'),
  regtest: say('Regtest'),
};

/** Matches the home folder wherever a path begins with it. Set once, at the start. Null: paths stay, as on Windows. */
let homes: RegExp | null = null;

export function setHome(folder: string | null): void {
  const escaped = folder?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  homes =
    escaped === undefined || escaped === '/'
      ? null
      : new RegExp(`(?<![^\\s“‘"'(])${escaped}(?=/|$|[\\s”’"')]|[.,:;](?:\\s|$))`, 'gu');
}

/** A text in which `~` stands for the home folder wherever a path begins with it. */
export function withTilde(text: string): string {
  return homes === null ? text : text.replace(homes, '~');
}
