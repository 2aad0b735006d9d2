/** The browser that `npm start` opens gets the link without any other user learning it. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLink } from './openLink.mjs';

const KEY = 'a-key-that-lets-one-tab-in';
const LINK = `http://0123456789abcdef.localhost:1/folder/open?key=${KEY}`;

// Only Linux shows the arguments of processes in files.
describe.runIf(process.platform === 'linux')('openLink', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'open-link-'));
    // A browser that keeps running, and saves its arguments and the file that it reads.
    const script = `#!/bin/sh\nfor last; do :; done\nfile="\${last#--app=file://}"\ncp "$file" "${folder}/read.part"\nprintf '%s\\n' "$@" > "${folder}/arguments"\nmv "${folder}/read.part" "${folder}/read"\nexec /bin/sleep 30\n`;
    for (const name of ['xdg-open', 'chromium']) {
      writeFileSync(join(folder, name), script);
      chmodSync(join(folder, name), 0o700);
    }
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    vi.stubEnv('DISPLAY', ':0');
  });

  afterEach(() => {
    for (const { pid } of processesNaming(folder)) end(pid);
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  // SECURITY.md: Another user of this computer
  it('passes the link in no argument of any process, and redirects the browser to it', async () => {
    const failures: string[] = [];
    const opened = openLink(LINK, (why) => failures.push(why));
    await expect.poll(() => existsSync(join(folder, 'read'))).toBe(true);
    expect(processesNaming(KEY)).toEqual([]);
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).toContain(opened?.file ?? 'none');
    expect(readFileSync(join(folder, 'read'), 'utf8')).toContain(`content="0;url=${LINK}"`);
    expect(failures).toEqual([]);
    opened?.remove();
  });

  // SECURITY.md: Another user of this computer
  it('writes a file that only its owner can read, and removes it', async () => {
    const opened = openLink(LINK, () => {});
    await expect.poll(() => existsSync(join(folder, 'read'))).toBe(true);
    const file = opened?.file ?? '';
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    const another = openLink(LINK, () => {});
    expect(another?.file).not.toBe(file);
    another?.remove();
    opened?.remove();
    expect(existsSync(dirname(file))).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)('lets no other user read the file', () => {
    const opened = openLink(LINK, () => {});
    const nobody = 65534;
    const read = (uid: number) =>
      spawnSync('/bin/cat', [opened?.file ?? ''], { uid, gid: uid, encoding: 'utf8' });
    expect(read(0).stdout).toContain(KEY);
    expect(read(nobody)).toMatchObject({ status: 1, stdout: '' });
    opened?.remove();
  });

  it('writes nothing without a display', () => {
    vi.stubEnv('DISPLAY', '');
    vi.stubEnv('WAYLAND_DISPLAY', '');
    expect(openLink(LINK, () => {})).toBeNull();
  });
});

function end(pid: number): void {
  try {
    process.kill(pid);
  } catch {
    // The process has ended by itself.
  }
}

/** The processes of the machine with this text in their arguments. */
function processesNaming(text: string): { pid: number; args: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      const args = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return args.includes(text) ? [{ pid, args }] : [];
    } catch {
      // The process has ended in the meantime.
      return [];
    }
  });
}
