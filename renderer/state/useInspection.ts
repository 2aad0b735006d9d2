/** What a wallet file tells, asked for as soon as it is known which file. */
import { useEffect, useState } from 'react';
import type { WalletSource } from '../../shared/contract.ts';
import type { AppErrorShape } from '../../shared/errors.ts';
import type { Inspection } from '../../shared/inspection.ts';
import type { Network } from '../../shared/model.ts';
import { bridge } from '../bridge.ts';
import { attempt } from './attempt.ts';

export type Inspecting =
  | { state: 'none' }
  /** `before` is what the same file told when another network was expected. */
  | { state: 'looking'; before: Inspection | null }
  | { state: 'known'; inspection: Inspection }
  | { state: 'failed'; error: AppErrorShape };

type Told = { of: string; source: string } & (
  | { ok: true; inspection: Inspection }
  | { ok: false; error: AppErrorShape }
);

/**
 * Null looks at nothing. `network` is the one to expect where the file does not tell. The file is looked at anew
 * each time: it may have changed since.
 */
export function useInspection(source: WalletSource | null, network: Network | null = null): Inspecting {
  const sourceKey = source === null ? null : JSON.stringify(source);
  const key = `${sourceKey} ${network}`;
  const [told, setTold] = useState<Told | null>(null);
  useEffect(() => {
    if (sourceKey === null) return;
    const asked: WalletSource = JSON.parse(sourceKey);
    let wanted = true;
    const input = { source: asked, ...(network === null ? {} : { network }) };
    void attempt(() => bridge.call('wallet.inspect', input)).then((result) => {
      if (!wanted) return;
      const of = { of: key, source: sourceKey };
      setTold(
        result.ok ? { ...of, ok: true, inspection: result.value } : { ...of, ok: false, error: result.error },
      );
    });
    return () => {
      wanted = false;
    };
  }, [key, sourceKey, network]);
  if (sourceKey === null) return { state: 'none' };
  if (told?.of !== key) {
    return { state: 'looking', before: told?.source === sourceKey && told.ok ? told.inspection : null };
  }
  return told.ok ? { state: 'known', inspection: told.inspection } : { state: 'failed', error: told.error };
}
