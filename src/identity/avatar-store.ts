// The port for members' pictures. Each write is one atomic, durable step.

import type { MemberDoer } from '../audit/doer.ts';

export interface AvatarReads {
  /** The member's picture. Undefined unless the current picture has exactly this version. */
  findAvatar(userId: number, version: string): Promise<Uint8Array | undefined>;
}

export interface AvatarWrites {
  /** Stores a picture in place of the previous one. False if the account is not active. */
  setAvatar(by: MemberDoer, version: string, image: Uint8Array): Promise<boolean>;
  removeAvatar(by: MemberDoer): Promise<void>;
}
