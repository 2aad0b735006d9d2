/** Starts the page once zod knows that it may not compile schemas: the security policy of the page forbids eval. */
import { z } from 'zod';

// It decides when a schema is made, so everything that makes one is loaded after this.
z.config({ jitless: true });
void import('./start.tsx');
