// Modules that no plan for this kind of service holds, but that fit it.

import { FURTHER_MODULES } from './modules.ts';
import { testPlan } from './plan.ts';

testPlan(FURTHER_MODULES);
