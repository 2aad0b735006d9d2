/** The backups that migrations left beside the node's wallets. */
import { useEffect, useState } from 'react';
import type { FoundBackup } from '../../shared/model.ts';
import { bridge } from '../bridge.ts';
import { attempt } from '../state/attempt.ts';

/** Newest first; empty while they are looked for, and where the folder cannot be seen. */
export function useFoundBackups(): readonly FoundBackup[] {
  const [backups, setBackups] = useState<readonly FoundBackup[]>([]);
  useEffect(() => {
    let wanted = true;
    void attempt(() => bridge.call('files.backups', {})).then((result) => {
      if (wanted && result.ok) setBackups(result.value.backups);
    });
    return () => {
      wanted = false;
    };
  }, []);
  return backups;
}
