/** Shows running jobs outside the window, by what Electron has for it. */
import { type BrowserWindow, Notification, powerSaveBlocker } from 'electron';
import { eventTable } from '../../shared/contract.ts';
import type { Services } from '../backend/host.ts';
import { createWorkSigns } from './workSigns.ts';

/** In the taskbar or dock, their ends as notifications where the user has it so; the computer does not sleep meanwhile. */
export function showWork(services: Services, window: BrowserWindow): void {
  let blocker: number | null = null;
  const take = createWorkSigns({
    isWatched: () => !window.isDestroyed() && window.isFocused(),
    showProgress(share) {
      // As Electron has it: more than 1 is a bar that does not say how far, less than 0 is none.
      if (!window.isDestroyed()) window.setProgressBar(share === 'none' ? -1 : (share ?? 2));
    },
    stayAwake(awake) {
      if (awake) blocker ??= powerSaveBlocker.start('prevent-app-suspension');
      else if (blocker !== null) {
        powerSaveBlocker.stop(blocker);
        blocker = null;
      }
    },
    notify(title, body) {
      if (!services.settings().notifications || !Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      notification.on('click', () => {
        if (window.isDestroyed()) return;
        window.show();
        window.focus();
      });
      notification.show();
    },
  });
  services.subscribe((name, value) => {
    if (name === 'job') take(eventTable.job.parse(value));
  });
}
