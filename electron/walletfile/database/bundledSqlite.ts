/** SQLite from this bundle: a package holds no other file to load it from. */
import { takeSqliteFrom } from './sqliteDatabase.ts';

/**
 * Call it before the first wallet is read; it is compiled where one needs it. `compiled` is what `compiledSqlite` gave
 * in another thread: threads that share it also share the machine code that any of them has made of it.
 */
export function takeBundledSqlite(compiled?: WebAssembly.Module): void {
  given = compiled;
  takeSqliteFrom(compiledSqlite);
}

/** SQLite's compiled module, for this thread and for others. */
export function compiledSqlite(): Promise<WebAssembly.Module> {
  own ??= given ? Promise.resolve(given) : compile();
  return own;
}

/** What this thread has of it: null where nothing here has needed it so far. */
export function sqliteSoFar(): Promise<WebAssembly.Module> | null {
  return own;
}

async function compile(): Promise<WebAssembly.Module> {
  // Nine tenths of a megabyte, which most threads do without.
  const { default: binary } = await import('sql.js/dist/sql-wasm.wasm?url&inline');
  return WebAssembly.compile(Buffer.from(binary.slice(binary.indexOf(',') + 1), 'base64'));
}

let given: WebAssembly.Module | undefined;
let own: Promise<WebAssembly.Module> | null = null;
