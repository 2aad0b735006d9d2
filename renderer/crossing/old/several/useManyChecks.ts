/** What the app finds when it looks at several wallets before their migration, a few at a time. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppErrorShape } from '../../../../shared/errors.ts';
import type { MigrationChecks } from '../../../../shared/safety.ts';
import type { Wallet } from '../../../../shared/wallet.ts';
import { type Attempt, attempt } from '../../../state/attempt.ts';
import { bridge } from '../../../state/bridge/bridge.ts';
import { cancelJob } from '../../../state/useFileJob.ts';

export type WalletLook =
  | { state: 'waiting' }
  | { state: 'looking' }
  /** `encrypted` is null where neither the node nor the file tells. */
  | { state: 'known'; found: MigrationChecks; encrypted: boolean | null }
  | { state: 'failed'; error: AppErrorShape };

interface ManyChecks {
  /** By the wallets' names. */
  looks: ReadonlyMap<string, WalletLook>;
  /** Forgets what was found and looks at these. */
  lookAt(wallets: readonly Wallet[]): void;
}

export function useManyChecks(): ManyChecks {
  const [looks, setLooks] = useState<ReadonlyMap<string, WalletLook>>(new Map());
  /** Grows with each start, so that what came too late is known. */
  const latest = useRef(0);
  const running = useRef(new Set<string>());
  const giveUp = useCallback(() => {
    latest.current += 1;
    for (const job of running.current) cancelJob(job);
  }, []);
  useEffect(() => giveUp, [giveUp]);

  return {
    looks,
    lookAt(wallets) {
      giveUp();
      const own = latest.current;
      const left = [...wallets];
      setLooks(new Map(wallets.map(({ name }) => [name, { state: 'waiting' }])));
      const tell = (name: string, look: WalletLook) => {
        if (own === latest.current) setLooks((before) => new Map(before).set(name, look));
      };
      async function work(): Promise<void> {
        for (let next = left.shift(); next && own === latest.current; next = left.shift()) {
          tell(next.name, { state: 'looking' });
          tell(next.name, await look(next, running.current));
        }
      }
      for (let workers = 0; workers < AT_ONCE; workers += 1) void work();
    },
  };
}

const AT_ONCE = 3;

/** `running`: the jobs that are at work. */
async function look({ name, encrypted }: Wallet, running: Set<string>): Promise<WalletLook> {
  const result = await during(running, (job) => bridge.call('migrate.check', { name, job }));
  if (!result.ok) return { state: 'failed', error: result.error };
  const found = result.value;
  return { state: 'known', found, encrypted: encrypted ?? (await encryptedInFile(name, found, running)) };
}

/** Of a wallet that is not loaded only its file tells. */
async function encryptedInFile(
  name: string,
  { file, way }: MigrationChecks,
  running: Set<string>,
): Promise<boolean | null> {
  if (file === null || way !== 'migrate') return null;
  const source = { by: 'wallet', name } as const;
  const inspected = await during(running, (job) => bridge.call('wallet.inspect', { source, job }));
  return inspected.ok ? inspected.value.encryption !== null : null;
}

async function during<T>(running: Set<string>, work: (job: string) => Promise<T>): Promise<Attempt<T>> {
  const job = crypto.randomUUID();
  running.add(job);
  const result = await attempt(() => work(job));
  running.delete(job);
  return result;
}
