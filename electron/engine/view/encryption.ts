export type { Encryption } from '../../wallet/encryption.ts';
