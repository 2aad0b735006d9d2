/** One passphrase tried on a wallet's file, and what the file told. What was typed stays in its field alone. */
import { useRef, useState } from 'react';
import type { WalletSource } from '../../../../shared/contract.ts';
import type { AppErrorShape } from '../../../../shared/errors.ts';
import type { PassphraseVerdict } from '../../../../shared/inspection.ts';
import { useFileJob } from '../../../state/useFileJob.ts';

export type Trying =
  | { state: 'none' }
  | { state: 'running' }
  | { state: 'told'; verdict: PassphraseVerdict }
  | { state: 'failed'; error: AppErrorShape };

export interface PassphraseTry {
  trying: Trying;
  /** Reads the field, and leaves its value where it is. An empty field gets the focus. */
  tryIt(wallet: string, field: HTMLInputElement | null): Promise<void>;
  /** Cancels it; for another wallet or another passphrase, forgets what was told too. */
  forget(): void;
}

/** `file`: the one to try it on in place of a wallet of the node. */
export function usePassphraseTry(file: string | null = null): PassphraseTry {
  const [trying, setTrying] = useState<Trying>({ state: 'none' });
  /** Grows with each try, so that an answer that came too late is known. */
  const latest = useRef(0);
  const { ask, cancel } = useFileJob();

  return {
    trying,
    async tryIt(wallet, field) {
      if ((field?.value ?? '') === '') {
        setTrying({ state: 'told', verdict: 'not-tried' });
        return field?.focus();
      }
      latest.current += 1;
      const own = latest.current;
      setTrying({ state: 'running' });
      const source: WalletSource =
        file === null ? { by: 'wallet', name: wallet } : { by: 'file', path: file };
      const result = await ask('wallet.tryPassphrase', { source, passphrase: field?.value ?? '' });
      if (own !== latest.current) return;
      setTrying(
        result.ok
          ? { state: 'told', verdict: result.value.verdict }
          : { state: 'failed', error: result.error },
      );
    },
    forget() {
      cancel();
      latest.current += 1;
      setTrying({ state: 'none' });
    },
  };
}

/** Whether the file told that the passphrase does not open it. */
export function isWrong(trying: Trying): boolean {
  return trying.state === 'told' && trying.verdict === 'wrong';
}
