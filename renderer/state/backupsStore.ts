/** Makes new backups one after another, each with its own plan. Continues when the user leaves the page. */
import { create } from 'zustand';
import { AppError, type AppErrorShape } from '../../shared/model/errors.ts';
import { type NodeAddress, sameNode } from '../../shared/model/node.ts';
import { notSent } from '../../shared/wording/findings/hints.ts';
import { blockerText } from '../../shared/wording/planWords.ts';
import { say } from '../../shared/wording/say.ts';
import { bridge } from './bridge/bridge.ts';
import { stoppedBy } from './draft.ts';
import { ended, useJobs } from './jobsStore.ts';
import { attempt } from './tasks.ts';

interface OfWallet {
  node: NodeAddress;
  wallet: string;
}

/** The state of a backup before it starts as a job. */
type Standing = { state: 'queued' } | { state: 'refused'; error: AppErrorShape };

interface BackupsState {
  standings: ReadonlyMap<string, Standing>;
  /** The wallets that the user last backed up together. */
  together: readonly OfWallet[];
  /** Adds these backups to the queue. `destination`: a full path. */
  save(list: readonly (OfWallet & { destination: string })[]): Promise<void>;
}

export const useBackups = create<BackupsState>()((set) => {
  let before: Promise<unknown> = Promise.resolve();

  function stand(of: OfWallet, standing: Standing | null): void {
    set(({ standings }) => {
      const others = [...standings].filter(([key]) => key !== keyOf(of));
      return { standings: new Map(standing === null ? others : [...others, [keyOf(of), standing]]) };
    });
  }

  async function saveOne(of: OfWallet & { destination: string }): Promise<void> {
    const started = await attempt(() => start(of));
    if (!started.ok) return stand(of, { state: 'refused', error: started.error });
    stand(of, null);
    await ended(started.value);
  }

  return {
    standings: new Map(),
    together: [],
    save(list) {
      for (const of of list) stand(of, { state: 'queued' });
      const work = before.then(async () => {
        for (const of of list) await saveOne(of);
      });
      before = work;
      return work;
    },
  };
});

/** The state of a wallet's queued or refused backup; null without one, and once it runs. */
export function readinessOf({ standings }: Pick<BackupsState, 'standings'>, of: OfWallet): Standing | null {
  return standings.get(keyOf(of)) ?? null;
}

function keyOf({ node, wallet }: OfWallet): string {
  return JSON.stringify([node.host, node.port, wallet]);
}

/** Returns the id of the job. Throws AppError if it cannot start. */
async function start({ node, wallet, destination }: OfWallet & { destination: string }): Promise<string> {
  const answers = { destination };
  const plan = await bridge.call('plan.make', {
    action: 'backup',
    source: { by: 'wallet', name: wallet },
    answers,
  });
  // Another node may have a wallet of the same name.
  if (!sameNode(plan.node.identity.address, node)) throw AppError.fromShape(ELSEWHERE);
  if (blockerText(plan, false) !== null) throw AppError.fromShape(stoppedBy(plan));
  const run = await bridge.call('plan.run', { plan: plan.id, answers });
  if (!run.began) throw AppError.fromShape(stoppedBy(run.plan));
  useJobs.getState().note(run.job);
  return run.job.id;
}

const ELSEWHERE: AppErrorShape = {
  code: 'not_connected',
  message: say('Connected to another node.'),
  hint: notSent(say('Connect to this wallet’s node.')),
};
