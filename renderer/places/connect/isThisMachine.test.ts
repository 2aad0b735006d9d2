import { expect, it } from 'vitest';
import { isThisMachine } from './isThisMachine.ts';

it('knows the names of this machine, and no others', () => {
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]', ' 127.0.0.1 ']) {
    expect(isThisMachine(host), host).toBe(true);
  }
  for (const host of ['192.168.1.5', 'node.local', '127.0.0.1.example.org', 'localhost.example', '::2', '']) {
    expect(isThisMachine(host), host).toBe(false);
  }
});
