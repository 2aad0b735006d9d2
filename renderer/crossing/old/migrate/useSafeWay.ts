/** The safe way for an unnamed wallet: whether it was chosen, and the name that the copy of the wallet gets. */
import { useState } from 'react';
import type { NodeStatus } from '../../../../shared/node.ts';
import type { Wallet } from '../../../../shared/wallet.ts';
import type { NameVerdict } from '../../../../shared/walletName.ts';
import { useApp } from '../../../state/appStore.ts';
import { freeName } from '../restore/freeName.ts';
import { checkNewName } from './checkNewName.ts';

export interface SafeWay {
  chosen: boolean;
  choose(chosen: boolean): void;
  name: string;
  /** False while the name is the suggested one. */
  typed: boolean;
  verdict: NameVerdict;
  setName(name: string): void;
}

/** `begunAs`: the name it was tried with before; null where it is not chosen yet. */
export function useSafeWay(node: NodeStatus, wallets: readonly Wallet[], begunAs: string | null): SafeWay {
  const platform = useApp(({ info }) => (node.local && info ? info.platform : 'other'));
  const [chosen, choose] = useState(begunAs !== null);
  const [typed, setName] = useState(begunAs);
  const rules = { taken: wallets.map(({ name }) => name), platform };
  const name = typed ?? freeName(SUGGESTED, rules, checkNewName);
  return { chosen, choose, name, typed: typed !== null, verdict: checkNewName(name, rules), setName };
}

const SUGGESTED = 'wallet';
