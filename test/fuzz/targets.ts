// All parsers that are fuzzed.

import type { Target } from './target.ts';
import { IMPORT_TARGETS } from './targets/imports.ts';
import { OPERATOR_TARGETS } from './targets/operator.ts';
import { PROTOCOL_TARGETS } from './targets/protocol.ts';
import { REQUEST_TARGETS } from './targets/requests.ts';
import { TEXT_TARGETS } from './targets/texts.ts';

export const TARGETS: readonly Target[] = [
  ...TEXT_TARGETS,
  ...PROTOCOL_TARGETS,
  ...REQUEST_TARGETS,
  ...OPERATOR_TARGETS,
  ...IMPORT_TARGETS,
];
