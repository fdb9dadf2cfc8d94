// Config OP: what is announced.

import { CONFIG_PLAN } from './modules.ts';
import { testPlan } from './plan.ts';

testPlan(CONFIG_PLAN);
