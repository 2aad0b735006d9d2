/** Bundles the three parts of the app: the main process with all entry points, the preload script and the page. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { normalizePath, type Plugin, type Rolldown } from 'vite';
import { events, requests } from '../shared/contract.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const START = normalizePath(join(root, 'renderer/start.tsx'));

/** Preloads all scripts and styles that the page's first script imports once it knows the language. */
function preloadStart(): Plugin {
  return {
    name: 'preload-start',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
        const needed = new Set(chunks.filter(({ moduleIds }) => moduleIds.includes(START)));
        // A set visits what is added meanwhile too.
        for (const { imports } of needed)
          for (const chunk of chunks)
            if (imports.includes(chunk.fileName) && !html.includes(chunk.fileName)) needed.add(chunk);
        const scripts = [...needed].map(({ fileName }) => ({
          rel: 'modulepreload',
          crossorigin: true,
          href: `./${fileName}`,
        }));
        const styles = [...needed]
          .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
          // The same attributes as the import uses, so that it finds them.
          .map((file) => ({ rel: 'stylesheet', crossorigin: true, href: `./${file}` }));
        return [...scripts, ...styles].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }));
      },
    },
  };
}

/**
 * Puts all that `start.tsx` imports into one file, in the order of its imports, which counts for styles. The bundler would
 * put what `later.ts` imports too into a third file.
 */
function partOfStart(): Rolldown.CodeSplittingNameFunction {
  const needed = new Set<string>();
  function need(id: string, context: Rolldown.ChunkingContext): void {
    if (needed.has(id)) return;
    needed.add(id);
    for (const one of context.getModuleInfo(id)?.importedIds ?? []) need(one, context);
  }
  return (id, context) => {
    if (needed.size === 0) need(START, context);
    return needed.has(id) && !/node_modules.*\.m?js$/.test(id) ? 'page' : null;
  };
}

/** Leaves out the comments with the modules' paths, which depend on the place of node_modules. */
const withoutPaths = { attachDebugInfo: 'none' } as const;

export default defineConfig({
  main: {
    build: {
      // Bundle everything, so that a package needs no node_modules.
      externalizeDeps: false,
      target: 'node20',
      rollupOptions: {
        input: {
          main: 'electron/main.ts',
          serve: 'electron/serve.ts',
          ferry: 'electron/ferry.ts',
          engine: 'electron/engine/main.ts',
          engineThread: 'electron/engine/threads/engineThread.ts',
          walletThread: 'electron/workers/walletThread.ts',
        },
        experimental: withoutPaths,
        // CommonJS loads before Electron is ready, when the app must register its scheme.
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
      },
    },
  },
  preload: {
    define: {
      REQUEST_NAMES: JSON.stringify(Object.keys(requests)),
      EVENT_NAMES: JSON.stringify(Object.keys(events)),
    },
    build: {
      externalizeDeps: false,
      target: 'node20',
      // A sandboxed preload is one CommonJS file.
      rollupOptions: {
        input: { preload: 'electron/preload.ts' },
        experimental: withoutPaths,
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: join(root, 'renderer'),
    plugins: [react(), preloadStart()],
    build: {
      target: 'chrome128',
      minify: true,
      // Inlined assets would need a wider content security policy.
      assetsInlineLimit: 0,
      rollupOptions: {
        input: join(root, 'renderer/index.html'),
        output: {
          codeSplitting: {
            groups: [
              // Names are shorter in smaller scripts.
              { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ },
              { name: 'first', test: /renderer[\\/]main\.tsx$|preload-helper|rolldown[\\/]runtime/ },
              { name: partOfStart(), debugName: 'page' },
            ],
          },
        },
      },
    },
  },
});
