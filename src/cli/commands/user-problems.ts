// What is wrong with a username. Each completes a sentence that begins with the option.

import type { RegistrationProblems } from '../../identity/registration.ts';

export const USERNAME_PROBLEMS: Record<NonNullable<RegistrationProblems['username']>, string> = {
  too_short: 'must have at least 3 characters',
  too_long: 'must have at most 30 characters',
  characters: 'must have only letters and digits, with _ or - between them',
  mixed_scripts: 'must not mix alphabets that look alike',
  reserved: 'is a reserved name or looks like one; add --reserved to use it anyway',
  taken: 'is the username of another account',
};
