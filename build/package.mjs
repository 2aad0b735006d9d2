/**
 * `npm run package`: packs the app for this system to `dist`, and lists the packages and those that it could not make.
 *
 *     npm run package                   the unpacked app and every package of this system, for this processor
 *     npm run package -- --dir          the unpacked app alone
 *     npm run package -- --release      for every processor; fails if one package cannot be made
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Arch, build, Platform } from 'electron-builder';
import { writeContents } from './contents.mjs';
import packaging from './electron-builder.mjs';
import { missingSignature } from './signing.mjs';
import { findElectron, findProgram, root } from './system.mjs';
import { buildApp } from './tool.mjs';
import { feedToPack, LATEST, writeLatest } from './updateFeed.mjs';

const SYSTEMS = {
  linux: { platform: Platform.LINUX, kinds: ['tar.gz', 'AppImage', 'deb'], release: [Arch.x64, Arch.arm64] },
  darwin: { platform: Platform.MAC, kinds: ['dmg', 'zip'], release: [Arch.universal] },
  win32: { platform: Platform.WINDOWS, kinds: ['nsis', 'portable'], release: [Arch.x64, Arch.arm64] },
};
const dist = join(root, 'dist');
const ownArch = process.arch === 'arm64' ? Arch.arm64 : Arch.x64;
const PACKAGE = /\.(tar\.gz|AppImage|deb|dmg|zip|exe)$/;
const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|fetch failed/;
const DOWNLOAD_FAILED = 'its tools could not be downloaded';

/**
 * Packs the built app for this system and processor, without creating packages.
 * @param {string} output the folder to pack into
 * @returns {Promise<string>} the folder that holds the packed app
 */
export function packApp(output) {
  preferFoundElectron();
  return pack(ownArch, output);
}

function system() {
  const found = Object.entries(SYSTEMS).find(([name]) => name === process.platform)?.[1];
  if (!found) throw new Error(`There are no packages for ${process.platform}.`);
  return found;
}

/** Uses the Electron that is already on this machine, which is the one that electron-builder would download. */
function preferFoundElectron() {
  if (process.platform === 'darwin' || process.env.ELECTRON_OVERRIDE_DIST_PATH) return;
  const electron = findElectron();
  if ('path' in electron) process.env.ELECTRON_OVERRIDE_DIST_PATH = dirname(electron.path);
}

/**
 * @param {Arch} arch
 * @param {string} output
 */
async function pack(arch, output) {
  let folder = '';
  const afterPack = (/** @type {import('electron-builder').AfterPackContext} */ { appOutDir }) => {
    folder = appOutDir;
  };
  await run(arch, 'dir', { directories: { output, buildResources: 'build' }, afterPack });
  // An Electron on this machine contains a default app.
  rmSync(join(folder, 'resources', 'default_app.asar'), { force: true });
  setModes(folder);
  return folder;
}

/**
 * Lets every user read the packed files, whatever the umask of this process. Packages keep these modes.
 * @param {string} folder
 */
function setModes(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setModes(path);
    if (!entry.isFile()) continue;
    const { mode } = statSync(path);
    // Keep the setuid bit, which Chromium's sandbox may have.
    chmodSync(path, (mode & 0o4000) | (mode & 0o100 ? 0o755 : 0o644));
  }
}

/**
 * @param {Arch} arch
 * @param {string} kind
 * @param {import('electron-builder').Configuration} more
 * @param {string} [prepackaged]
 */
async function run(arch, kind, more, prepackaged) {
  return build({
    targets: system().platform.createTarget(kind, arch),
    config: { ...packaging(), ...more },
    projectDir: root,
    publish: 'never',
    ...(prepackaged ? { prepackaged } : {}),
  });
}

/**
 * Creates one package of the packed app.
 * @param {string} kind
 * @param {Arch} arch
 * @param {string} folder
 */
async function makePackage(kind, arch, folder) {
  if (kind === 'tar.gz') return makeTar(arch, folder);
  const app = process.platform === 'darwin' ? join(folder, 'Wallet Ferry.app') : folder;
  await run(arch, kind, kind === 'deb' ? forDeb() : {}, app);
}

/** A deb names the project's home page. The app in it does not, so that its bytes are the same wherever the project lies. */
function forDeb() {
  const homepage = process.env.PACKAGE_HOMEPAGE;
  if (!homepage) throw new Error('a deb needs the project’s home page: set PACKAGE_HOMEPAGE');
  if (findProgram(['fpm'])) process.env.USE_SYSTEM_FPM = 'true';
  return { extraMetadata: { ...packaging().extraMetadata, homepage } };
}

/**
 * The name that electron-builder gives to the packages of this system.
 * @param {Arch} arch
 */
function nameOf(arch) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return `wallet-ferry-${version}-${system().platform.buildConfigurationKey}-${Arch[arch]}`;
}

/**
 * Creates the archive with the system's own tar, which needs no download, and is reproducible.
 * @param {Arch} arch
 * @param {string} folder
 */
function makeTar(arch, folder) {
  const name = nameOf(arch);
  const archive = ['--create', '--file', join(dist, `${name}.tar.gz`), '--use-compress-program=gzip -9n'];
  const time = `--mtime=@${process.env.SOURCE_DATE_EPOCH ?? 0}`;
  const sameEachTime = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', time];
  const from = ['--directory', dirname(folder), `--transform=s,^${basename(folder)},${name},`];
  const args = [...archive, ...sameEachTime, ...from, basename(folder)];
  const { status, error } = spawnSync('tar', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`tar ended with ${status}`);
}

/**
 * Packs the app and creates its packages. Continues with the others if one fails.
 * @param {Arch} arch
 * @param {boolean} justFolder
 * @returns {Promise<string[]>} what was not made, and why
 */
async function makeAll(arch, justFolder) {
  const folder = await pack(arch, dist);
  writeContents(folder, join(dist, `${nameOf(arch)}.sha256`));
  /** @type {string[]} */
  const missing = [];
  for (const kind of justFolder ? [] : system().kinds) {
    try {
      await makePackage(kind, arch, folder);
    } catch (error) {
      missing.push(`${kind} for ${Arch[arch]}: ${problemOf(error)}`);
    }
  }
  return missing;
}

/** @param {unknown} error */
function problemOf(error) {
  const [problem = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return NO_NETWORK.test(problem) ? `${DOWNLOAD_FAILED} (${problem})` : problem;
}

/** @param {string[]} missing */
function report(missing) {
  console.log('\nMade in dist:');
  for (const { name } of readdirSync(dist, { withFileTypes: true })) {
    const facts = statSync(join(dist, name));
    if (facts.isDirectory() && !name.startsWith('.')) console.log(`  ${name}/  the unpacked app`);
    else if (name === LATEST) console.log(`  ${name}  for ${feedToPack()}, once the release is out`);
    else if (name.endsWith('.sha256')) console.log(`  ${name}  the hashes of its files`);
    else if (PACKAGE.test(name)) console.log(`  ${name}  ${Math.round(facts.size / 1e6)} MB`);
  }
  if (missing.length > 0) console.log('Not made:');
  for (const line of missing) console.log(`  ${line}`);
  const unsigned = missingSignature(process.platform, process.env);
  if (unsigned !== null) console.log(unsigned);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = process.argv.slice(2);
  const release = options.includes('--release');
  if (release && process.env.ELECTRON_OVERRIDE_DIST_PATH) {
    console.error('A release needs the official Electron: ELECTRON_OVERRIDE_DIST_PATH must not be set.');
    process.exit(1);
  }
  let feed = null;
  try {
    feed = feedToPack();
  } catch (error) {
    console.error(problemOf(error));
    process.exit(1);
  }
  if (!release) preferFoundElectron();
  if (!(await buildApp())) process.exit(1);
  rmSync(dist, { recursive: true, force: true });
  /** @type {string[]} */
  const missing = [];
  try {
    for (const arch of release ? system().release : [ownArch]) {
      missing.push(...(await makeAll(arch, options.includes('--dir'))));
    }
  } catch (error) {
    console.error(`The app could not be packed: ${problemOf(error)}`);
    process.exit(1);
  }
  if (feed !== null) writeLatest(dist);
  report(missing);
  process.exitCode = release && missing.length > 0 ? 1 : 0;
}
