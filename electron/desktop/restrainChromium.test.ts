import type { Session } from 'electron';
import { expect, it, vi } from 'vitest';
import { refusePermissions } from './restrainChromium.ts';

vi.mock('electron', () => ({}));

// SECURITY.md: A compromised page
it('refuses every permission and device, requested or not', () => {
  const session = {
    setPermissionRequestHandler: vi.fn(),
    setPermissionCheckHandler: vi.fn(),
    setDevicePermissionHandler: vi.fn(),
  };
  refusePermissions(session as unknown as Session);
  const decide = vi.fn();
  session.setPermissionRequestHandler.mock.lastCall?.[0](null, 'notifications', decide);
  expect(decide.mock.calls).toEqual([[false]]);
  expect(session.setPermissionCheckHandler.mock.lastCall?.[0](null, 'hid')).toBe(false);
  expect(session.setDevicePermissionHandler.mock.lastCall?.[0]({ deviceType: 'hid' })).toBe(false);
});
