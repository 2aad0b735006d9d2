/** Which signatures the packages get. The environment names the keys: see docs/packaging.md. */

/**
 * @typedef {Record<string, string | undefined>} Environment
 */

/** @param {Environment} env */
export function isMacSigned(env) {
  return Boolean(env.CSC_LINK || env.CSC_NAME);
}

/** @param {Environment} env */
export function isMacNotarised(env) {
  return isMacSigned(env) && Boolean(env.APPLE_API_KEY || env.APPLE_ID || env.APPLE_KEYCHAIN_PROFILE);
}

/**
 * What the packages of a system lack without a key, and what that does; null for nothing. Packages for Linux have no signature.
 * @param {NodeJS.Platform} platform
 * @param {Environment} env
 * @returns {string | null}
 */
export function missingSignature(platform, env) {
  if (platform === 'darwin' && !isMacSigned(env))
    return 'Not signed, as CSC_LINK names no certificate: macOS will block the app until the user allows it.';
  if (platform === 'darwin' && !isMacNotarised(env))
    return 'Not notarised, as APPLE_ID names no account: macOS will block the app until the user allows it.';
  if (platform === 'win32' && !env.WIN_CSC_LINK && !env.CSC_LINK)
    return 'Not signed, as WIN_CSC_LINK names no certificate: Windows will warn of an unknown publisher.';
  return null;
}
