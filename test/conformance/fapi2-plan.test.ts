// FAPI 2.0 Security Profile: its modules that this service can run.

import { FAPI2_PLAN } from './modules.ts';
import { testPlan } from './plan.ts';

testPlan(FAPI2_PLAN);
