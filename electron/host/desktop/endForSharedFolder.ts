/** Ends the desktop entry where others can change its folder of data. */
import '../../threads/setLanguage.ts';
import { app } from 'electron';
import { errorShapeOf } from '../../../shared/errors.ts';
import { refuseSharedFolder } from '../../disk/lock/refuseSharedFolder.ts';
import { endWith } from './endWith.ts';

export function endForSharedFolder(folder: string): void {
  try {
    refuseSharedFolder(folder);
  } catch (error) {
    const { message, hint } = errorShapeOf(error);
    endWith(message, hint);
    return;
  }
  // It was mended in this very moment: the next start will find it so.
  app.exit(1);
}
