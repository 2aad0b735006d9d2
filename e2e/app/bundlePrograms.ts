/** Bundles programs as the app's own are: in CommonJS beside each other, each as `<name>.cjs` in the folder. */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

export async function bundlePrograms(folder: string, sources: Readonly<Record<string, URL>>): Promise<void> {
  const input = Object.entries(sources).map(([name, source]) => [name, fileURLToPath(source)] as const);
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [keepSqliteLoading],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      rollupOptions: {
        input: Object.fromEntries(input),
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' },
      },
    },
  });
}

/**
 * sql.js sets `module` to undefined and asks for its type afterwards. Rollup, which Vite 7 bundles with, takes that type
 * for known, and the program throws when it first opens a database.
 */
const keepSqliteLoading: Plugin = {
  name: 'keep-sqlite-loading',
  transform: (code, id) => (/sql-wasm\.js$/.test(id) ? code.replace('module = undefined;', '') : null),
};
