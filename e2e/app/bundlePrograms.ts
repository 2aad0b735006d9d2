/** Bundles programs as the app's own are: in CommonJS beside each other, each as `<name>.cjs` in the folder. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export async function bundlePrograms(folder: string, sources: Readonly<Record<string, URL>>): Promise<void> {
  const input = Object.entries(sources).map(([name, source]) => [name, fileURLToPath(source)] as const);
  await build({
    configFile: false,
    logLevel: 'error',
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
