/** What to do with a file: the action that the app suggests, and where it can run. */
import { NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isPasted } from '../../../../shared/model/files.ts';
import { type Inspection, needsRescue, passphraseNeed } from '../../../../shared/model/inspection.ts';
import type { Network } from '../../../../shared/model/network.ts';
import {
  authorityOf,
  type Connection,
  type FoundNode,
  type NodeStatus,
} from '../../../../shared/model/node.ts';
import { walletLabel } from '../../../../shared/wording/format/names.ts';
import { isUnreadable } from '../../../../shared/wording/inspectionWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { SmallButton, Waiting } from '../../../components/buttons.tsx';
import { ErrorNotice } from '../../../components/parts.tsx';
import { Quiet } from '../../../components/texts.tsx';
import { connect, connectThen, go, useApp, workOffline } from '../../../state/appStore.ts';
import { foundIn, useRequest } from '../../../state/asking.ts';
import { type Draft, fileChangedError, type NewRequest, newRequest } from '../../../state/draftsStore.ts';
import { findNodes, useNodes } from '../../../state/nodesStore.ts';
import { plans } from '../../../state/plansStore.ts';
import type { WalletPageState } from '../../../state/useWalletPage.ts';
import { useWallets } from '../../../state/walletsStore.ts';
import { ActionCard } from './ActionCard.tsx';

/** The action for a file. Says which wallet of the node has the same keys. */
export function FileAction({ page }: { page: WalletPageState & { inspection: Inspection } }) {
  const { route, facts, inspection, draft } = page;
  const release = useApp(({ connection }) =>
    connection.state === 'connected' ? connection.node.release.number : undefined,
  );
  const rescues = facts?.kind === 'other' || needsRescue(inspection, release);
  const { keysId, keys } = inspection;
  const isKeyless = keys.plain + keys.encrypted === 0;
  const twin = useWallets(({ wallets }) =>
    wallets?.find(
      (wallet) => keysId && wallet.keysId === keysId && (wallet.watchOnly === true) === isKeyless,
    ),
  );
  // The page reads it again when the user returns from closing it.
  if (inspection.isOpen) return null;
  return (
    <>
      {twin && <Quiet>{say('Copy of “{wallet}”', { wallet: walletLabel(twin.name) })}</Quiet>}
      <SuggestedAction
        route={route}
        draft={draft}
        request={{ action: rescues ? 'rescue' : 'restore', source: route.source }}
        network={inspection.network.name}
        kind={inspection.kind}
        passphrase={isUnreadable(inspection) ? null : passphraseNeed(inspection)}
        areKeys={isPasted(facts)}
      />
    </>
  );
}

/** What the file was when the user saw its plan, where the page has no card for it any more. */
export function NotStarted({ page: { draft, route } }: { page: WalletPageState }) {
  const error = fileChangedError(draft);
  if (draft === null || error === null) return null;
  const checkAgain = () => {
    plans.leave(draft.key);
    go({ ...route });
  };
  return (
    <ErrorNotice error={error} title={say('Not started')}>
      <SmallButton onClick={checkAgain}>{say('Check again')}</SmallButton>
    </ErrorNotice>
  );
}

interface SuggestedActionProps extends Pick<WalletPageState, 'route' | 'draft'> {
  request: NewRequest;
  network: Network | 'unknown';
  kind: Inspection['kind'];
  passphrase: ReturnType<typeof passphraseNeed>;
  areKeys?: boolean;
}

/** Suggests an action on the node or the engine that the user chooses, and shows its card. */
export function SuggestedAction(props: SuggestedActionProps) {
  const { route, draft, request, network, kind, passphrase, areKeys } = props;
  const connection = useApp((state) => state.connection);
  const { found, searchError } = useNodes();
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => void (found === null && findNodes()), [found]);
  const rescues = request.action === 'rescue';
  const options =
    network === 'unknown' ? [] : nodeOptionsFor({ network, kind, rescues, connection, found: found ?? [] });
  const option = options.find((one) => keyOf(one) === chosen) ?? options[0];
  const own = foundIn(
    useRequest('engine.place', option?.by === 'engine' ? { network: option.network } : null),
  );
  const place = option?.by === 'engine' ? own?.walletsFolder : option?.node.walletsFolder;
  const isLooking = found === null && searchError === null && option?.by !== 'in-use';
  const migrates = option !== undefined && alsoMigrates(option) && kind === 'legacy';
  const locked = passphrase !== null && migrates && (!rescues || passphrase.opensAll);
  const waits =
    option === undefined ? 'start' : option.by === 'in-use' ? 'no' : locked ? 'passphrase' : 'start';
  const canSuggest = option !== undefined && !isLooking;
  useSuggestion(canSuggest ? request : null, waits, draft);
  if (option === undefined) return null;
  if (draft === null) return isLooking && <Waiting>{say('Searching for nodes…')}</Waiting>;
  return (
    <ActionCard
      draft={draft}
      passphrase={passphrase}
      migrates={migrates}
      place={place ?? null}
      areKeys={areKeys}
      connect={() => connectTo(option)}
      where={<Where options={options} option={option} onChoose={setChosen} route={route} />}
    />
  );
}

/** Suggests an action, if there is one. Again without a draft: Cancel, or a job of another window, drops it. */
export function useSuggestion(
  request: NewRequest | null,
  waits: Draft['waits'],
  draft: Pick<Draft, 'key'> | null,
): void {
  const text = request && JSON.stringify(request);
  const known = draft?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dropped draft is suggested again
  useEffect(() => {
    if (text !== null) plans.suggest(newRequest.parse(JSON.parse(text)), waits);
  }, [text, waits, known]);
}

/** Throws AppError. The engine keeps its wallets in the app's own folder. */
async function connectTo(option: NodeOption): Promise<void> {
  if (option.by === 'found') await connect({ by: 'found', id: option.id });
  if (option.by === 'engine') await workOffline({ walletsFolder: null, network: option.network });
}

/** Whether a restore there also migrates a legacy wallet: it could not be loaded, or would gain nothing. */
function alsoMigrates(option: NodeOption): boolean {
  return option.by === 'engine' || option.node.offline || !option.node.release.loadsLegacy;
}

function keyOf(option: NodeOption): string {
  return option.by === 'found' ? option.id : option.by;
}

function nameOf(option: NodeOption): string {
  if (option.by === 'engine' || option.node.offline) return say('On this computer, without Bitcoin Core');
  return say('On your Bitcoin Core {release}', { release: option.node.release.text });
}

/** Its name, with its address where another has the same name. */
export function labelOf(option: NodeOption, options: readonly NodeOption[]): string {
  const name = nameOf(option);
  const isOnly = options.filter((one) => nameOf(one) === name).length === 1;
  return isOnly || option.by === 'engine' ? name : `${name} · ${authorityOf(option.node.address)}`;
}

interface WhereProps extends Pick<WalletPageState, 'route'> {
  options: readonly NodeOption[];
  option: NodeOption;
  onChoose: (key: string) => void;
}

function Where({ options, option, onChoose, route }: WhereProps) {
  return (
    <div className="line small">
      <span aria-hidden>{say('Where:')}</span>
      <NativeSelect
        size="xs"
        flex="none"
        maw="100%"
        aria-label={say('Where')}
        value={keyOf(option)}
        data={[
          ...options.map((one) => ({ value: keyOf(one), label: labelOf(one, options) })),
          { value: OTHER, label: say('Connect to a node…') },
        ]}
        onChange={({ currentTarget: { value } }) => (value === OTHER ? connectThen(route) : onChoose(value))}
      />
    </div>
  );
}

const OTHER = 'other';

type NodeOption =
  /** The connected node or engine. Never a remote one: the same path names another file there. */
  | { by: 'in-use'; node: NodeStatus }
  /** A node on this computer that the app is not connected to. */
  | { by: 'found'; id: string; node: NodeStatus }
  | { by: 'engine'; network: Network };

interface WalletNeeds {
  network: Network;
  /** Of the file. For a rescue, or a node that loads no legacy wallets, the app places a copy in the node's wallets folder. */
  kind: Inspection['kind'];
  rescues: boolean;
  connection: Connection;
  found: readonly FoundNode[];
}

/** The possible nodes, the best first. The engine is always one of them. */
export function nodeOptionsFor(props: WalletNeeds): NodeOption[] {
  const { network, kind, rescues, connection, found } = props;
  const node = connection.state === 'connected' ? connection.node : null;
  const inUse = node?.local && node.network === network ? node : null;
  const here: NodeOption = inUse?.offline ? { by: 'in-use', node: inUse } : { by: 'engine', network };
  // Releases before 24 migrate no wallet, and releases before 23 restore none.
  const ready = found.flatMap(({ id, state }): NodeOption[] =>
    state.state === 'ready' && state.node.network === network && state.node.release.migrates !== 'no'
      ? [{ by: 'found', id, node: state.node }]
      : [],
  );
  const nodes: NodeOption[] = inUse && !inUse.offline ? [{ by: 'in-use', node: inUse }] : ready;
  // The user has to name a wallets folder that the app does not know.
  const rankOf = (option: NodeOption) => {
    if (option === here) return inUse?.offline ? 0 : 2;
    return canHandle(option, { kind, rescues }) ? 1 : 3;
  };
  return [here, ...nodes].sort((one, other) => rankOf(one) - rankOf(other));
}

function canHandle(option: NodeOption, { kind, rescues }: Pick<WalletNeeds, 'kind' | 'rescues'>): boolean {
  if (option.by === 'engine' || kind !== 'legacy') return true;
  return (option.node.release.loadsLegacy && !rescues) || option.node.walletsFolder !== null;
}
