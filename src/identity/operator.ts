// Granting and removing the operator role.

import type { Doer } from '../audit/doer.ts';
import type { Identity } from './identity.ts';

export type OperatorProblem = 'not_active' | 'last_operator';

/** Grant or remove the operator role. Returns why that is refused, or undefined once it is done. */
export async function setOperator(
  by: Doer,
  { writes }: Identity,
  userId: number,
  isOperator: boolean,
): Promise<OperatorProblem | undefined> {
  if (await writes.setOperator(by, userId, isOperator)) return undefined;
  return isOperator ? 'not_active' : 'last_operator';
}
