/** Prints the nodes of this computer and the wallets of one node, one a line. */
import type { Network } from '../../shared/model/network.ts';
import type { FoundNode } from '../../shared/model/node.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import { listedBalance, walletBalance } from '../../shared/wording/balanceWords.ts';
import { listed } from '../../shared/wording/format/listed.ts';
import { networkName } from '../../shared/wording/format/networkName.ts';
import { quotedWallet } from '../../shared/wording/format/walletLabel.ts';
import { backAsWords, NO_COPY, SET_ASIDE } from '../../shared/wording/interruptionWords.ts';
import { errorLines, indented, table } from '../../shared/wording/lines.ts';
import { say } from '../../shared/wording/say.ts';
import { authorityOf } from '../bitcoind/rpc/connectionErrors.ts';
import { partlyReadLines } from './chooseNode.ts';

/** `offline`: the balances come from the offline engine. */
export function walletLines(
  wallets: readonly Wallet[],
  { network, offline }: { network: Network; offline: boolean },
): string[] {
  if (wallets.length === 0) return [say('No wallets yet')];
  const heads = [say('Wallet'), say('Kind'), say('Encrypted'), say('Loaded'), say('Balance')];
  const body = wallets.map((wallet) => {
    const { main, watched } = listedBalance(wallet, network);
    return [
      quotedWallet(wallet.name),
      wallet.interruption?.backAs === undefined ? KINDS[wallet.kind] : SET_ASIDE,
      yesOrNo(wallet.encrypted),
      yesOrNo(wallet.loaded),
      listed([walletBalance(main, network, offline || wallet.fromFile), watched ?? false]),
    ];
  });
  const notes = wallets.flatMap(({ name, warnings, problem, interruption }) => {
    const lines = [
      ...warnings,
      ...interruptionNotes(interruption),
      ...(problem === null ? [] : errorLines(problem)),
    ];
    return lines.length === 0 ? [] : ['', quotedWallet(name), ...indented(lines)];
  });
  return [...table([heads, ...body]), ...notes];
}

function interruptionNotes(interruption: Wallet['interruption']): string[] {
  if (interruption?.backAs !== undefined) return [backAsWords(interruption.backAs)];
  return interruption?.copies === 0 ? [NO_COPY] : [];
}

export function nodeLines(nodes: readonly FoundNode[]): string[] {
  if (nodes.length === 0) return [say('No node was found on this computer')];
  const lines = nodes.map(({ network, address, dataFolder, state }) => [
    networkName(network),
    `http://${authorityOf(address)}`,
    stateOf(state),
    dataFolder,
  ]);
  return [...table(lines), ...partlyReadLines(nodes)];
}

function stateOf(state: FoundNode['state']): string {
  switch (state.state) {
    case 'ready':
      return say('Bitcoin Core {release}', { release: state.node.release.text });
    case 'asks-login':
      return say('Asks for a login');
    case 'starting':
      return say('Starting up');
    case 'failed':
      return state.error.message;
  }
}

function yesOrNo(answer: boolean | null): string {
  if (answer === null) return say('Not known');
  return answer ? say('Yes') : say('No');
}

const KINDS: Readonly<Record<Wallet['kind'], string>> = {
  descriptor: say('Descriptor'),
  legacy: say('Legacy'),
  interrupted: say('Interrupted'),
  unknown: say('Not known'),
};
