/** The way out where the node cannot take a legacy backup: the built-in engine, on the same network, at once. */
import type { Network } from '../../../../shared/network.ts';
import { networkName } from '../../../../shared/networkName.ts';
import { say } from '../../../../shared/text/say.ts';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { ActionButton } from '../../../elements/input/ActionButton.tsx';
import { useEngineStart } from '../../../state/useEngineStart.ts';

export function WorkHere({ network }: { network: Network }) {
  const { busy, error, start } = useEngineStart({ walletsFolder: null, network });
  return (
    <>
      <p>
        {say(
          'Without a node, the app’s own offline engine ({network}) restores the backup on this computer, into the app’s own folder, and migrates it there. Any node of release 24 or later opens what comes of it.',
          { network: networkName(network) },
        )}
      </p>
      <ActionButton variant="default" busy={busy} onClick={start}>
        {say('Work without a node')}
      </ActionButton>
      {error && <ErrorNotice error={error} title={say('The offline engine could not be started')} />}
    </>
  );
}
