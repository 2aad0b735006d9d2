/** Builds and packs a copy of the sources. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Copies what a build reads, and links the installed packages. `target` must be a new folder. */
export function copySources(target: string): void {
  const settings = readdirSync(root).filter((name) => name.endsWith('.json'));
  for (const name of [...settings, 'build', 'electron', 'languages', 'renderer', 'shared'])
    cpSync(join(root, name), join(target, name), { recursive: true });
  mkdirSync(join(target, 'node_modules'));
  // Link each package, because the tools write to the copy's own node_modules.
  for (const name of readdirSync(join(root, 'node_modules')))
    symlinkSync(join(root, 'node_modules', name), join(target, 'node_modules', name), 'junction');
}

/**
 * Builds and packs a copy of the sources in the new folder `target`, in another time zone and language, on another day
 * and with another umask than this process. Returns the folder of the packed app.
 */
export async function packElsewhere(target: string): Promise<string> {
  copySources(target);
  const preloaded = join(root, 'e2e', 'app', 'otherBuilder.cjs').replaceAll('\\', '/');
  const program = spawn(process.execPath, [join('build', 'package.mjs'), '--dir'], {
    cwd: target,
    env: {
      ...process.env,
      NODE_OPTIONS: `--require="${preloaded}"`,
      TZ: 'Pacific/Kiritimati',
      LC_ALL: 'tr_TR.UTF-8',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  program.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  const [code] = await once(program, 'close');
  const dist = join(target, 'dist');
  const packed =
    code === 0 ? readdirSync(dist, { withFileTypes: true }).find((entry) => entry.isDirectory()) : null;
  if (!packed) throw new Error(`The copy was not packed:\n${errors}`);
  return join(dist, packed.name);
}
