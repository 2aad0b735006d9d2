/** Makes SQLite ready from this bundle: a package holds no other file to load it from. */
import binary from 'sql.js/dist/sql-wasm.wasm?url&inline';
import { loadSqlite } from './sqliteDatabase.ts';

/**
 * Call it before the first wallet is read. `compiled` is what `compiledSqlite` gave, in this or in another thread:
 * threads that share it also share the machine code that any of them has made of it.
 */
export async function loadBundledSqlite(compiled?: WebAssembly.Module): Promise<void> {
  await loadSqlite(compiled ?? (await compiledSqlite()));
}

/** SQLite's compiled module, for this thread and for others. */
export function compiledSqlite(): Promise<WebAssembly.Module> {
  own ??= WebAssembly.compile(Buffer.from(binary.slice(binary.indexOf(',') + 1), 'base64'));
  return own;
}

let own: Promise<WebAssembly.Module> | undefined;
