/**
 * The configuration of electron-builder. Only the environment names the certificates, the feed of releases and a different
 * Electron. docs/packaging.md lists the variables.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import checksums from 'electron/checksums.json' with { type: 'json' };
import { desktopNames } from './desktopNames.mjs';
import { isMacNotarised, isMacSigned } from './signing.mjs';
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
 * Returns a new configuration, because electron-builder changes it.
 * @returns {import('electron-builder').Configuration}
 */
export default function packaging() {
  const { env } = process;
  /** An unpacked Electron on this machine, to use instead of the official one. */
  const ownElectron = env.ELECTRON_OVERRIDE_DIST_PATH;
  const macSigned = isMacSigned(env);
  const updateFeed = feedToPack();
  return {
    appId: 'org.walletferry.app',
    productName: 'Wallet Ferry',
    copyright: 'MIT licence',
    directories: { output: 'dist', buildResources: 'build' },
    // `out` contains everything that runs. Two entry points are only for people who build the app themselves.
    files: ['package.json', 'out/**', '!out/main/serve.cjs', '!out/main/ferry.cjs', '!**/*.map'],
    // False tells electron-builder to pack no node_modules. They are in the bundle.
    beforeBuild: () => Promise.resolve(false),
    asar: true,
    electronFuses: fuses,
    ...(ownElectron
      ? {
          electronDist: ownElectron,
          electronVersion: readFileSync(join(ownElectron, 'version'), 'utf8').trim().replace(/^v/, ''),
        }
      : // The checksums of the npm package, which the lock file pins, not those of the download server.
        { electronDownload: { checksums } }),
    artifactName: `wallet-ferry-\${version}-\${os}-\${arch}.\${ext}`,
    extraMetadata: {
      desktopName: 'wallet-ferry.desktop',
      ...(updateFeed ? { updateFeed } : {}),
    },
    // The app does not contain electron-builder's updater, so it needs no feed.
    publish: null,
    // With this version of the AppImage tools, packages start without the system's libraries.
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
      // To a Linux desktop, a wallet.dat is a database or unknown bytes. Offer the app for both, but not as the default.
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
      // Without a certificate the signature is ad hoc, with which a hardened app would refuse its own libraries.
      ...(macSigned ? {} : { identity: '-' }),
      hardenedRuntime: macSigned,
      gatekeeperAssess: false,
      entitlements: 'build/entitlements.mac.plist',
      entitlementsInherit: 'build/entitlements.mac.plist',
      notarize: isMacNotarised(env),
      // Many programs use `.bak` and `.dat`, so offer the app for them, but not as the default.
      fileAssociations: [{ ...backup, ext: ['bak', 'dat'], role: 'Viewer', rank: 'Alternate' }],
    },

    win: { target: ['nsis', 'portable'], icon: 'icons/icon.ico' },
    nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
    portable: { artifactName: `wallet-ferry-\${version}-\${os}-\${arch}-portable.\${ext}` },
  };
}
