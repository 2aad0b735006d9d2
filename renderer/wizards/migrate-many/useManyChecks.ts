/** What the app finds when it looks at several wallets before their migration, a few at a time. */
import { useEffect, useRef, useState } from 'react';
import type { AppErrorShape } from '../../../shared/errors.ts';
import type { MigrationChecks } from '../../../shared/safety.ts';
import type { Wallet } from '../../../shared/wallet.ts';
import { bridge } from '../../bridge.ts';
import { attempt } from '../../state/attempt.ts';

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
  useEffect(
    () => () => {
      latest.current += 1;
    },
    [],
  );

  return {
    looks,
    lookAt(wallets) {
      latest.current += 1;
      const own = latest.current;
      const left = [...wallets];
      setLooks(new Map(wallets.map(({ name }) => [name, { state: 'waiting' }])));
      const tell = (name: string, look: WalletLook) => {
        if (own === latest.current) setLooks((before) => new Map(before).set(name, look));
      };
      async function work(): Promise<void> {
        for (let next = left.shift(); next && own === latest.current; next = left.shift()) {
          tell(next.name, { state: 'looking' });
          tell(next.name, await look(next));
        }
      }
      for (let workers = 0; workers < AT_ONCE; workers += 1) void work();
    },
  };
}

const AT_ONCE = 3;

async function look({ name, encrypted }: Wallet): Promise<WalletLook> {
  const result = await attempt(() => bridge.call('migrate.check', { name }));
  if (!result.ok) return { state: 'failed', error: result.error };
  const found = result.value;
  return { state: 'known', found, encrypted: encrypted ?? (await encryptedInFile(name, found)) };
}

/** Of a wallet that is not loaded only its file tells. */
async function encryptedInFile(name: string, { file, way }: MigrationChecks): Promise<boolean | null> {
  if (file === null || way !== 'migrate') return null;
  const source = { by: 'wallet', name } as const;
  const inspected = await attempt(() => bridge.call('wallet.inspect', { source }));
  return inspected.ok ? inspected.value.encryption !== null : null;
}
