import { rm } from 'node:fs/promises';

/**
 * Removes a folder of a test with its contents. Tries again without blocking, because Windows keeps a removed file's name
 * until its last reader has closed it, and an app that is closed lets go of the files that it reads a moment later.
 */
export function removeTestFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
}
