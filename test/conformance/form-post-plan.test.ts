// Form Post OP: the modules of Basic OP, with responses sent by POST.

import { FORM_POST_PLAN } from './modules.ts';
import { testPlan } from './plan.ts';

testPlan(FORM_POST_PLAN);
