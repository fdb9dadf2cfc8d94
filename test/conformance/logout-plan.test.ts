// RP-Initiated OP: signing out at the request of an application.

import { LOGOUT_PLAN } from './modules.ts';
import { testPlan } from './plan.ts';

testPlan(LOGOUT_PLAN);
