/**
 * `node build/materials.mjs FILE` writes a bill of materials in CycloneDX: the bundled libraries and Electron, as npm lists
 * them. The same lock file gives the same list.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { root } from './system.mjs';

/**
 * @typedef {{
 *   'bom-ref': string, name: string, version: string,
 *   properties: { name: string }[], hashes: { alg: string, content: string }[],
 * }} Component
 * @typedef {{ ref: string, dependsOn: string[] }} Dependency
 * @typedef {{ metadata: { component: Component }, components: Component[], dependencies: Dependency[] }} List
 */

/** @returns {List} */
export function materials() {
  const { serialNumber: _, metadata, components, dependencies, ...others } = listOfNpm();
  const { timestamp: _timestamp, component: app, ...facts } = metadata;
  const packed = components.filter((/** @type {Component} */ one) => one.name === 'electron' || !isTool(one));
  const refs = new Set([app['bom-ref'], ...packed.map((/** @type {Component} */ one) => one['bom-ref'])]);
  return {
    ...others,
    // npm would name the folder in which it runs.
    metadata: { ...facts, component: { ...app, type: 'application', name: 'wallet-ferry' } },
    components: packed.map((/** @type {Component} */ one) =>
      isTool(one) ? { ...one, scope: 'required', properties: [] } : one,
    ),
    dependencies: dependencies
      .filter((/** @type {Dependency} */ { ref }) => refs.has(ref))
      .map((/** @type {Dependency} */ { ref, dependsOn }) => ({
        ref,
        dependsOn: dependsOn.filter((one) => refs.has(one)),
      })),
  };
}

/** Whether it is only for development. npm's own `--omit dev` would also omit libraries that tools use too. */
function isTool(/** @type {Component} */ { properties }) {
  return properties.some(({ name }) => name === 'cdx:npm:package:development');
}

function listOfNpm() {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  // On Windows npm is a shell script.
  const shell = process.platform === 'win32';
  const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', shell });
  if (status !== 0) throw error ?? new Error(`npm sbom ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file] = process.argv.slice(2);
  if (!file) throw new Error('Name the file to write.');
  writeFileSync(file, `${JSON.stringify(materials(), null, 2)}\n`);
}
