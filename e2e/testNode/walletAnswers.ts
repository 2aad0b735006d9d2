/** What the node says of a loaded wallet: the release's recorded shape with the facts of the wallet's file. */
import { z } from 'zod';
import type { NodeState } from './nodeState.ts';
import type { Reply } from './recording.ts';

/** Result of `getwalletinfo`: the members that the release was recorded to give. */
export function walletInfo(state: NodeState, name: string): Reply {
  const { wallets, recording } = state;
  const legacy = wallets.kind(name) === 'legacy';
  const ofLegacy = recording.has('getwalletinfo-legacy') ? recording.reply('getwalletinfo-legacy') : null;
  const like = legacy && ofLegacy && 'result' in ofLegacy ? ofLegacy : recording.reply('getwalletinfo');
  const recorded = resultShape.parse(like).result;
  const facts = wallets.facts(name)?.info ?? {};
  const info = { ...recorded };
  for (const [key, value] of Object.entries(facts)) {
    if (key !== 'lastprocessedblock' && (key in recorded || KIND_OF_WALLET.includes(key))) info[key] = value;
  }
  // The facts were taken unlocked; a wallet that was just loaded or migrated is locked.
  if ('unlocked_until' in info) info.unlocked_until = 0;
  return {
    result: { ...info, walletname: name, format: legacy ? 'bdb' : 'sqlite', descriptors: !legacy },
  };
}

/** Members that depend on the wallet and not on the release. */
const KIND_OF_WALLET = ['unlocked_until', 'keypoololdest', 'hdseedid'];

/** Result of `getbalances`. It was not recorded; its shape is that of the facts, without what came in 26. */
export function walletBalances({ wallets, recording }: NodeState, name: string): Reply {
  const { lastprocessedblock, ...balances } = wallets.facts(name)?.balances ?? {
    mine: { trusted: 0, untrusted_pending: 0, immature: 0 },
  };
  const since26 = recording.number >= 260000 && lastprocessedblock !== undefined;
  return { result: since26 ? { ...balances, lastprocessedblock } : balances };
}

const resultShape = z.object({ result: z.record(z.string(), z.unknown()) });
