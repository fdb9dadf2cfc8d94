// Where the program is installed.

import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/**
 * The folder of package.json, whichever file in it this runs from: the sources are joined into others
 * (`bin/build.ts`), and what they read beside them stays where it is.
 */
export const PROGRAM_FOLDER = dirname(findPackageJSON(import.meta.url) ?? '');
