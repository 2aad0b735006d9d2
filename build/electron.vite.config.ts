/** How the three parts are bundled: main process (both entries), preload and page. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { events, requests } from '../shared/contract.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The page's first script imports the rest when it knows its language: both shall be fetched meanwhile. */
function preloadStart(): Plugin {
  return {
    name: 'preload-start',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
        const start = chunks.find(({ name }) => name === 'start');
        const needed = chunks.filter(
          ({ fileName, isEntry }) =>
            !isEntry &&
            !html.includes(fileName) &&
            (fileName === start?.fileName || start?.imports.includes(fileName)),
        );
        const scripts = needed.map(({ fileName }) => ({
          rel: 'modulepreload',
          crossorigin: true,
          href: `./${fileName}`,
        }));
        const styles = needed
          .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
          // As the importing script would ask for them, which then finds them there.
          .map((file) => ({ rel: 'stylesheet', crossorigin: true, href: `./${file}` }));
        return [...scripts, ...styles].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }));
      },
    },
  };
}

/** Leaves out the comments with the modules' paths, because those depend on where node_modules lies. */
const withoutPaths = { attachDebugInfo: 'none' } as const;

export default defineConfig({
  main: {
    build: {
      // Everything is bundled, so that a package holds no node_modules.
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
        // CommonJS is loaded before Electron is ready, whoever loads it; our scheme must be registered by then.
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
      chunkSizeWarningLimit: 700,
      rollupOptions: {
        input: join(root, 'renderer/index.html'),
        // Nothing is loaded later: whoever has the app's port by then would have the page run other code.
        output: {
          codeSplitting: {
            groups: [{ name: 'first', test: /renderer[\\/]main\.tsx$|preload-helper|rolldown[\\/]runtime/ }],
          },
        },
      },
    },
  },
});
