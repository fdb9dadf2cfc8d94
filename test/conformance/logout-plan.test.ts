// RP-Initiated OP: signing out because an application asks.

import { LOGOUT_PLAN } from './modules.ts';
import { testPlan } from './plan.ts';

testPlan(LOGOUT_PLAN);
