// What is wrong with a username, in words.

import type { RegistrationProblems } from '../../identity/registration.ts';

export const USERNAME_PROBLEMS: Record<NonNullable<RegistrationProblems['username']>, string> = {
  too_short: 'The username is shorter than 3 characters.',
  too_long: 'The username is longer than 30 characters.',
  characters: 'The username may only have letters and digits, with . _ or - between them.',
  mixed_scripts: 'The username mixes alphabets that look alike.',
  taken: 'The username is taken.',
};
