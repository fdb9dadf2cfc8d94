// Modules of the OpenID Connect Core tests that fit this service, but are in no plan for it.

import { FURTHER_MODULES } from './modules.ts';
import { testPlan } from './plan.ts';

testPlan(FURTHER_MODULES);
