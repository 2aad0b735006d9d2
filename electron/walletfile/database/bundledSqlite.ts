/** SQLite as a part of the bundle, because a package has no separate file to load. */
import { takeSqliteFrom } from './sqliteDatabase.ts';

/**
 * Call this before reading the first wallet. SQLite is compiled on first use. `compiled`: the module that `compiledSqlite`
 * returned in another thread; threads that share it also share its machine code.
 */
export function takeBundledSqlite(compiled?: WebAssembly.Module): void {
  shared = compiled;
  takeSqliteFrom(compiledSqlite);
}

/** SQLite's compiled module, for this thread and others. */
export function compiledSqlite(): Promise<WebAssembly.Module> {
  own ??= shared ? Promise.resolve(shared) : compile();
  return own;
}

/** The module if this thread has needed it so far; else null. */
export function sqliteSoFar(): Promise<WebAssembly.Module> | null {
  return own;
}

async function compile(): Promise<WebAssembly.Module> {
  // 0.9 MB, which most threads never need.
  const { default: binary } = await import('sql.js/dist/sql-wasm.wasm?url&inline');
  return WebAssembly.compile(Buffer.from(binary.slice(binary.indexOf(',') + 1), 'base64'));
}

let shared: WebAssembly.Module | undefined;
let own: Promise<WebAssembly.Module> | null = null;
