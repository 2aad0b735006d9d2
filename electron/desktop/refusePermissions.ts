/** The page needs no permission and no device: it gets none, asked for or not. */
import type { Session } from 'electron';

type Deciding = Pick<
  Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
>;

/** Without these Electron grants nearly all that a page asks for. */
export function refusePermissions(session: Deciding): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}
