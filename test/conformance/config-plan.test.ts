// Config OP: the discovery document.

import { CONFIG_PLAN } from './modules.ts';
import { testPlan } from './plan.ts';

testPlan(CONFIG_PLAN);
