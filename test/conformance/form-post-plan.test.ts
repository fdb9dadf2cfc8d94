// Form Post OP: the same modules, their answers posted.

import { FORM_POST_PLAN } from './modules.ts';
import { testPlan } from './plan.ts';

testPlan(FORM_POST_PLAN);
