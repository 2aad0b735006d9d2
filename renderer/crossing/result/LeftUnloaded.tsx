/** Says of a migration that the node was stopped before it loaded the wallets again, and loads them. */
import { say } from '../../../shared/text/say.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { useAsking } from '../../state/useAsking.ts';
import { useWallets } from '../../state/walletsStore.ts';

interface LeftUnloadedProps {
  names: readonly string[];
  /** Whether the node in use is the one that has them. */
  here: boolean;
}

export function LeftUnloaded({ names, here }: LeftUnloadedProps) {
  const wallets = useWallets((state) => state.wallets);
  const load = useWallets((state) => state.load);
  const { busy, error, ask } = useAsking();
  const isLoaded = (name: string) => here && wallets?.some((one) => one.name === name && one.loaded) === true;
  const left = names.filter((name) => !isLoaded(name));
  if (left.length === 0) return null;

  async function loadAll() {
    await ask(async () => {
      for (const name of left) {
        const outcome = await load(name);
        if ('error' in outcome) return outcome.error;
      }
      return null;
    });
  }

  return (
    <>
      <Notice tone="read" title={say('Not loaded')}>
        <p>{say('The node stopped, but the files are complete. Load to see the balance and back up.')}</p>
        {here && (
          <ActionButton variant="default" busy={busy} onClick={() => void loadAll()}>
            {say('Load')}
          </ActionButton>
        )}
      </Notice>
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}
