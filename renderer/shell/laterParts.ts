/** What the first screen does not need. It loads right after the first frame, so that the page is usable sooner. */
import { create } from 'zustand';

type Parts = typeof import('./later.ts');

/** Null until it has loaded, which takes a moment. */
export const useLaterParts = create<{ parts: Parts | null }>()(() => ({ parts: null }));

/**
 * Loads it all at once, and without waiting for a click: later, another program could own the app's port and send other
 * code.
 */
export async function loadLaterParts(): Promise<void> {
  useLaterParts.setState({ parts: await import('./later.ts') });
}
