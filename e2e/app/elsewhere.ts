/** An address of this machine that looks to the app like one of another; undefined where it has only its loopback. */
import { networkInterfaces } from 'node:os';

export const elsewhere = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
