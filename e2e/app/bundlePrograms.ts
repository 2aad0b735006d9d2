/** Bundles programs like the app's own: in CommonJS, each as `<name>.cjs` in the folder. */
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
 * sql.js sets `module` to undefined and checks its type afterwards. Rollup, with which Vite 7 bundles, assumes it knows the
 * type, so the program would throw when it first opens a database.
 */
const keepSqliteLoading: Plugin = {
  name: 'keep-sqlite-loading',
  transform: (code, id) => (/sql-wasm\.js$/.test(id) ? code.replace('module = undefined;', '') : null),
};
