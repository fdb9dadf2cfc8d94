// What the consent page is about.

import type { ReauthenticationProblem } from '../../identity/reauthentication.ts';
import type { ConsentQuestion } from '../../oauth/authorization.ts';
import type { AuthorizationRequest } from '../../oauth/authorization-request.ts';
import type { ScopeSet } from '../../oauth/scope.ts';
import type { GrantDuration } from '../../oauth/store.ts';

/** Why the password that the page asked for was not accepted. */
export type ProofProblem = ReauthenticationProblem | { problem: 'missing' };

/** Why the page is shown again. The application may have changed since the page was opened. */
export type AnswerProblem = ProofProblem | { problem: 'changed' };

/** An answer that was not accepted. The page shows its scopes again. */
export interface RefusedAnswer {
  scopes: ScopeSet;
  problem: AnswerProblem;
}

export interface ConsentView {
  request: AuthorizationRequest;
  question: ConsentQuestion;
  /** The request, as the page sends it back. */
  query: string;
  /** The page asks for the password. */
  needsProof: boolean;
  /** How long the member allowed it last time, or chose just now. */
  duration: GrantDuration | undefined;
  refused?: RefusedAnswer;
}
