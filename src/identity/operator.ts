// Making members operators, and operators ordinary members.

import type { Doer } from '../audit/doer.ts';
import type { Identity } from './identity.ts';

export type OperatorProblem = 'not_active' | 'last_operator';

/** Make a member an operator, or an ordinary member. Returns why that is refused, or undefined. */
export async function setOperator(
  by: Doer,
  { writes }: Identity,
  userId: number,
  isOperator: boolean,
): Promise<OperatorProblem | undefined> {
  if (await writes.setOperator(by, userId, isOperator)) return undefined;
  return isOperator ? 'not_active' : 'last_operator';
}
