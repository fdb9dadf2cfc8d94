// The rules for guests that hold until operators change them.

import type { GuestRules } from '../../src/identity/guest-rules.ts';

export const GUEST_RULES: GuestRules = {
  reservedNames: ['Agora'],
  blockedMailDomains: [],
  blockedNetworks: [],
  signUpsPerHour: 5,
};
