/** The README's command to start the app, and `--help` of each entry point, in a clean copy of the sources. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copySources } from '../e2e/app/buildElsewhere.ts';
import { endGroup, freePort } from '../e2e/app/machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'entry points '));
const copy = join(folder, 'wallet ferry');
const dataFolder = join(folder, 'data');
const { DISPLAY: _, WAYLAND_DISPLAY: _wayland, ...others } = process.env;
// This folder has no Electron, so that no window opens.
const env = { ...others, ELECTRON_OVERRIDE_DIST_PATH: folder, WALLET_FERRY_DATA: dataFolder };
const started: ChildProcess[] = [];

beforeAll(() => copySources(copy));
afterAll(async () => {
  for (const child of started) await endGroup(child);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Runs a command in the copy. */
function run(command: string): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd: copy, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
    );
  });
}

/** Gets a page of the app by its address, because not every system resolves names below `localhost`. */
async function pageAt({ host, port, pathname, search }: URL): Promise<string> {
  const request = get({ host: '127.0.0.1', port, path: pathname + search, headers: { host }, agent: false });
  const [response] = await once(request, 'response');
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return text;
}

// The commands need a POSIX shell.
describe.skipIf(process.platform === 'win32')('in a clean copy of the sources', () => {
  it('npm start builds the app, and serves its page at the link', async () => {
    const port = await freePort();
    const child = spawn('sh', ['-c', `npm start -- --port ${port}`], {
      cwd: copy,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(child);
    let link = '';
    for await (const line of createInterface({ input: child.stdout })) {
      link = /^Open this link, once: (\S+)/.exec(line)?.[1] ?? '';
      if (link !== '') break;
    }
    expect(new URL(link).port).toBe(String(port));
    expect(await pageAt(new URL(link))).toContain('data-session=');
    expect(await pageAt(new URL('.', link))).toContain('<title>Wallet Ferry');
    expect(readdirSync(dataFolder)).not.toEqual([]);
    await endGroup(child);
  });

  it.each([
    ['npm start -- --help', '--electron | --browser'],
    ['npm run engine -- --help', '--wallets DIR'],
    ['npm run ferry -- --help', 'run KIND'],
  ])('%s prints its options', async (command, option) => {
    const { code, text } = await run(command);
    expect(text).toContain(option);
    expect(code).toBe(0);
  });

  it.each(['--elektron', '--port many', '--port 70000', '--electron --port 8555', '--electron --browser'])(
    'npm start refuses %s, and prints its options',
    async (args) => {
      const { code, text } = await run(`node build/start.mjs ${args}`);
      expect(text).toContain('npm start -- [--electron | --browser] [--port N]');
      expect(code).toBe(2);
    },
  );
});
