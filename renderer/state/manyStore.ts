/** The queue of wallets that are migrated one after another. It holds no secret: passphrases stay in their fields. */
import { create } from 'zustand';
import type { AppErrorShape, ErrorCode } from '../../shared/errors.ts';
import { type NodeIdentity, type NodeStatus, sameNode } from '../../shared/node.ts';
import type { MigrationChecks } from '../../shared/safety.ts';
import { say } from '../../shared/text/say.ts';
import { useApp } from './appStore.ts';
import { attempt } from './attempt.ts';
import { bridge } from './bridge/bridge.ts';
import {
  dropped,
  isElsewhere,
  isOver,
  nextStep,
  type Queue,
  type QueueItem,
  type Standing,
  withStanding,
} from './manyQueue.ts';
import { useOperations } from './operationsStore.ts';

/** Reads a wallet's passphrase out of its field and empties the field. */
type TakePassphrase = (wallet: string) => string;

interface ManyState {
  /** Null while there is none; one that is over stays until it is put away. */
  queue: Queue | null;
  /** True while a wallet could not be looked at for the line; it is tried again. */
  held: boolean;
  /** The wallets that the next queue begins with: what the last one left. */
  wanted: readonly string[];
  /** Grows each time a queue is put away, so that the wizard begins anew. */
  turn: number;
  /** Begins with the first. Does nothing while another queue is at work. */
  run(node: NodeStatus, items: readonly Omit<QueueItem, 'standing'>[], take: TakePassphrase): void;
  stopAfterThis(): void;
  /** The fields with the passphrases are gone, so nothing more is begun. What runs goes on. */
  leave(): void;
  /** Puts a queue that is over away. */
  putAway(wanted?: readonly string[]): void;
}

export const useMany = create<ManyState>()((set, get) => {
  let take: TakePassphrase | null = null;

  function around() {
    const { connection } = useApp.getState();
    return { connection, held: get().held, operations: useOperations.getState().operations };
  }

  function advance(): void {
    const { queue } = get();
    if (queue === null) return;
    const step = nextStep(queue, around());
    if (step.do === 'drop') set({ queue: dropped(queue, step.why) });
    if (step.do === 'begin') void begin(step.item);
  }

  /** Changes how a wallet stands and goes on with what follows from it. */
  function stand(wallet: string, standing: Standing): void {
    set(({ queue }) => ({ queue: queue && withStanding(queue, wallet, standing) }));
    advance();
  }

  async function begin(item: QueueItem): Promise<void> {
    const { wallet } = item;
    stand(wallet, { state: 'starting' });
    // What another window does to it, the app itself refuses in plainer words than a check of a wallet in change.
    if (isWorkedOn(wallet)) return stand(wallet, await send(item, null));
    // Those before it may have taken its name or the room on the disk.
    const looked = await attempt(() => bridge.call('migrate.check', { name: wallet }));
    if (!looked.ok) {
      if (!OF_THE_LINE.includes(looked.error.code)) {
        return stand(wallet, { state: 'refused', error: looked.error });
      }
      set({ held: true });
      setTimeout(lookAgain, AGAIN_AFTER_MS);
      return stand(wallet, { state: 'waiting' });
    }
    const { queue } = get();
    if (queue && isElsewhere(queue.node, around().connection)) return stand(wallet, { state: 'waiting' });
    const error = stopOf(looked.value);
    stand(wallet, error ? { state: 'refused', error } : await send(item, looked.value.node));
  }

  /** `seen`: the node that was looked at a moment ago; at another port than the queue's where it was started anew. */
  async function send(
    { wallet, passphrase, hasOwnCopy }: QueueItem,
    seen: NodeIdentity | null,
  ): Promise<Standing> {
    if (passphrase !== 'none' && take === null) return { state: 'not-begun', why: 'left' };
    const typed = passphrase === 'none' ? '' : (take?.(wallet) ?? '');
    if (typed === '' && passphrase === 'needed') return { state: 'not-begun', why: 'no-passphrase' };
    const started = await useOperations.getState().migrate({
      name: wallet,
      ...(typed === '' ? {} : { passphrase: typed }),
      ...(hasOwnCopy ? { hasOwnCopy } : {}),
      ...(seen ? { seen } : {}),
    });
    return 'operation' in started
      ? { state: 'begun', operation: started.operation.id }
      : { state: 'refused', error: started.error };
  }

  function isWorkedOn(name: string): boolean {
    const { node } = get().queue ?? {};
    return around().operations.some(
      (one) =>
        one.state === 'running' && one.wallet === name && node && sameNode(one.node.address, node.address),
    );
  }

  function lookAgain(): void {
    set({ held: false });
    advance();
  }

  useApp.subscribe(advance);
  useOperations.subscribe(advance);

  return {
    queue: null,
    held: false,
    wanted: [],
    turn: 0,

    run(node, items, taking) {
      const { queue } = get();
      if (queue && !isOver(queue, around().operations)) return;
      take = taking;
      set({
        queue: { node, items: items.map((item) => ({ ...item, standing: { state: 'waiting' } })) },
        wanted: [],
      });
      advance();
    },

    stopAfterThis: () => set(({ queue }) => ({ queue: queue && dropped(queue, 'stopped') })),

    leave() {
      take = null;
      set(({ queue }) => ({ queue: queue && dropped(queue, 'left') }));
    },

    putAway(wanted = []) {
      const { queue } = get();
      if (queue && isOver(queue, around().operations)) {
        set(({ turn }) => ({ queue: null, wanted, turn: turn + 1 }));
      }
    },
  };
});

/** Failures that say nothing of the wallet: the node may answer again. */
const OF_THE_LINE: readonly ErrorCode[] = [
  'cannot_connect',
  'connection_lost',
  'timed_out',
  'starting_up',
  'busy',
  'not_connected',
];
const AGAIN_AFTER_MS = 2000;

/** What stops it, as the error that is its result; null when nothing does. */
function stopOf({ checks, way }: MigrationChecks): AppErrorShape | null {
  if (way === 'migrate') return null;
  const stop = checks.find(({ verdict }) => verdict === 'stop');
  return {
    code: 'stopped_by_check',
    message: stop?.title ?? say('A check stops this migration.'),
    hint: [say('Nothing was sent to the node.'), ...(stop?.text ?? []), ...(stop?.todo ?? [])].join(' '),
  };
}
