// All parsers that are fuzzed.

import type { Target } from './target.ts';
import { DOCUMENT_TARGETS } from './targets/documents.ts';
import { IMPORT_TARGETS } from './targets/imports.ts';
import { OPERATOR_TARGETS } from './targets/operator.ts';
import { PROTOCOL_TARGETS } from './targets/protocol.ts';
import { REQUEST_TARGETS } from './targets/requests.ts';
import { SEARCH_TARGETS } from './targets/search.ts';
import { TEXT_TARGETS } from './targets/texts.ts';

export const TARGETS: readonly Target[] = [
  ...TEXT_TARGETS,
  ...SEARCH_TARGETS,
  ...PROTOCOL_TARGETS,
  ...DOCUMENT_TARGETS,
  ...REQUEST_TARGETS,
  ...OPERATOR_TARGETS,
  ...IMPORT_TARGETS,
];
