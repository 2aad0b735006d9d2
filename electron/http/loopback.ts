/** Whether a host name or an address means this very machine. */
import { isIPv4 } from 'node:net';

/** 127.0.0.0/8, also as IPv6 writes it, ::1 and localhost. A tunnel to another machine cannot be told from it. */
export function isLoopback(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/^::ffff:/, '');
  if (name === 'localhost' || name === '::1') return true;
  return isIPv4(name) && name.startsWith('127.');
}
