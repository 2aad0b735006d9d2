/** What may be done while an operation runs. */
import { useNode } from '../state/appStore.ts';

export function GoesOn() {
  const offline = useNode()?.offline ?? false;
  return (
    <p>
      This goes on when you leave this page; the bar at the top leads back here. Should the app be closed,{' '}
      {offline
        ? 'the offline engine ends with it: what is not finished is given up, and the wallet stays as it was.'
        : 'the node goes on by itself, and the app finds out what came of it when it is started again.'}
    </p>
  );
}
