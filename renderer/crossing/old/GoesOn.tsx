/** What may be done while an operation runs. */
import { say } from '../../../shared/text/say.ts';
import { useNode } from '../../state/appStore.ts';

export function GoesOn() {
  const offline = useNode()?.offline ?? false;
  return (
    <p>
      {offline
        ? say(
            'This goes on when you leave this page; the bar at the top leads back here. If the app is closed, the offline engine ends with it: what is not finished is given up, and the wallet stays as it was.',
          )
        : say(
            'This goes on when you leave this page; the bar at the top leads back here. If the app is closed, the node goes on by itself, and the app finds out what came of it when it is started again.',
          )}
    </p>
  );
}
