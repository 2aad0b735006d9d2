/**
 * How the app is packed, for electron-builder. What signs it, where it comes from, where it may ask for new releases and
 * which Electron is in it is said by the environment alone; docs/packaging.md names the words.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import checksums from 'electron/checksums.json' with { type: 'json' };
import { desktopNames } from './desktopNames.mjs';
import { root } from './system.mjs';
import { feedToPack } from './updateFeed.mjs';

const backup = { name: 'Bitcoin Core wallet backup', description: 'Bitcoin Core wallet backup' };

/** @type {NonNullable<import('electron-builder').Configuration['electronFuses']>} */
const fuses = {
  runAsNode: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  onlyLoadAppFromAsar: true,
  enableEmbeddedAsarIntegrityValidation: true,
  enableCookieEncryption: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
};

/**
 * Electron-builder writes into what it is given: each run takes one of its own.
 * @returns {import('electron-builder').Configuration}
 */
export default function packaging() {
  const { env } = process;
  /** An unpacked Electron on this machine, instead of the official one of the version in package.json. */
  const ownElectron = env.ELECTRON_OVERRIDE_DIST_PATH;
  const macSigned = Boolean(env.CSC_LINK || env.CSC_NAME);
  const macNotarized = macSigned && Boolean(env.APPLE_API_KEY || env.APPLE_ID || env.APPLE_KEYCHAIN_PROFILE);
  const updateFeed = feedToPack();
  return {
    appId: 'org.walletferry.app',
    productName: 'Wallet Ferry',
    copyright: 'MIT licence',
    directories: { output: 'dist', buildResources: 'build' },
    // Everything that runs is bundled in `out`; two entries are for machines that build the app themselves.
    files: ['package.json', 'out/**', '!out/main/serve.cjs', '!out/main/ferry.cjs', '!**/*.map'],
    // Says that the packages in node_modules are seen to elsewhere: in the bundle.
    beforeBuild: () => Promise.resolve(false),
    asar: true,
    electronFuses: fuses,
    ...(ownElectron
      ? {
          electronDist: ownElectron,
          electronVersion: readFileSync(join(ownElectron, 'version'), 'utf8').trim().replace(/^v/, ''),
        }
      : // Of the npm package, which the lock file binds: no list of the server that has the binary is believed.
        { electronDownload: { checksums } }),
    artifactName: `wallet-ferry-\${version}-\${os}-\${arch}.\${ext}`,
    extraMetadata: {
      desktopName: 'wallet-ferry.desktop',
      ...(env.PACKAGE_HOMEPAGE ? { homepage: env.PACKAGE_HOMEPAGE } : {}),
      ...(updateFeed ? { updateFeed } : {}),
    },
    // The app holds no updater of electron-builder's: no feed is written for one.
    publish: null,
    // Of the AppImage tools, those whose result needs no library of the system to start.
    toolsets: { appimage: '1.0.3' },

    linux: {
      target: ['AppImage', 'deb', 'tar.gz'],
      executableName: 'wallet-ferry',
      syncDesktopName: true,
      icon: 'icons',
      category: 'Office;Finance',
      synopsis: 'Restore and migrate Bitcoin Core wallets',
      maintainer: 'Wallet Ferry contributors',
      fileAssociations: [
        { ...backup, ext: 'legacy.bak', mimeType: 'application/x-bitcoin-core-legacy-backup' },
      ],
      // A wallet.dat is a database to a Linux desktop, or bytes of no kind: the app is offered for both, and takes neither.
      mimeTypes: ['application/octet-stream', 'application/vnd.sqlite3', 'application/x-sqlite3'],
      desktop: {
        entry: { Keywords: 'bitcoin;wallet;backup;restore;migrate;descriptor;', Actions: 'choose-file;' },
        desktopActions: {
          'choose-file': {
            ...desktopNames('Open a wallet file…', join(root, 'languages')),
            Exec: 'wallet-ferry --choose-file',
          },
        },
      },
    },

    mac: {
      target: ['dmg', 'zip'],
      icon: 'icons/icon.icns',
      category: 'public.app-category.finance',
      // Without a certificate the signature names nobody (ad hoc), and a hardened app would refuse its own libraries.
      ...(macSigned ? {} : { identity: '-' }),
      hardenedRuntime: macSigned,
      gatekeeperAssess: false,
      entitlements: 'build/entitlements.mac.plist',
      entitlementsInherit: 'build/entitlements.mac.plist',
      notarize: macNotarized,
      // Many programs write `.bak` and `.dat`: the app is offered for them and takes them from none.
      fileAssociations: [{ ...backup, ext: ['bak', 'dat'], role: 'Viewer', rank: 'Alternate' }],
    },

    win: { target: ['nsis', 'portable'], icon: 'icons/icon.ico' },
    nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
    portable: { artifactName: `wallet-ferry-\${version}-\${os}-\${arch}-portable.\${ext}` },
  };
}
