/** What was typed into the form for connecting by hand, as a target, or what is wrong with it. */
import type { Login } from '../../../shared/contract.ts';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { say } from '../../../shared/wording/say.ts';

export interface HandFields {
  host: string;
  port: string;
  tls: boolean;
  by: Login['by'];
  cookieFile: string;
  user: string;
}

/** A sentence for beside each field that is wrong. */
export type HandProblems = Partial<Record<'host' | 'port' | 'cookieFile' | 'user', string>>;

/** The checked fields. The password is none of them: it goes from its field straight into the call. */
type HandReading =
  | { ok: true; address: NodeAddress; cookieFile: string; user: string }
  | { ok: false; problems: HandProblems };

export function readHandFields({ host, port, tls, by, cookieFile, user }: HandFields): HandReading {
  const problems: HandProblems = {};
  const name = host.trim().replace(/^\[(.*)\]$/, '$1');
  const number = /^\d{1,5}$/.test(port.trim()) ? Number(port) : 0;
  if (name === '') problems.host = say('Give a name or an address.');
  else if (/[\s/@]/.test(name)) problems.host = say('Without “http://” or a path.');
  if (number < 1 || number > 65_535) problems.port = say('A number from 1 to 65535.');
  if (by === 'cookie' && cookieFile.trim() === '') problems.cookieFile = say('Give its path.');
  if (by === 'password' && user === '') problems.user = say('Give the user.');
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return { ok: true, address: { host: name, port: number, tls }, cookieFile: cookieFile.trim(), user };
}

/** Whether a host name, as a user types it, means this very machine: 127.0.0.0/8, ::1 and localhost, as in the back end. */
export function isThisMachine(host: string): boolean {
  const name = host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}
