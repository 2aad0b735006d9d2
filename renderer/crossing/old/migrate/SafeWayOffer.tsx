/** The way around a release that endangers the neighbours of an unnamed wallet. */
import { Button } from '@mantine/core';
import { say } from '../../../../shared/text/say.ts';
import { Notice } from '../../../elements/Notice.tsx';

interface SafeWayOfferProps {
  chosen: boolean;
  onChoose: () => void;
}

export function SafeWayOffer({ chosen, onChoose }: SafeWayOfferProps) {
  return (
    <Notice
      tone="info"
      title={chosen ? say('You go the safe way around this stop') : say('There is a safe way')}
    >
      <p>
        {say(
          'The app puts a copy of the wallet’s file into the wallets folder under a name that you choose, and the node migrates that one. A wallet with a name is not concerned by the fault. The file wallet.dat itself is left alone.',
        )}
      </p>
      <Button variant="default" onClick={onChoose}>
        {say('Use the safe way')}
      </Button>
    </Notice>
  );
}
