// Basic OP: the authorization code flow, with responses in the query.

import { BASIC_PLAN } from './modules.ts';
import { testPlan } from './plan.ts';

testPlan(BASIC_PLAN);
