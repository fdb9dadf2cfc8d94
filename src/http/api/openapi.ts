// The OpenAPI 3.1 document of the API, made from the schemas that validate and type it.

import { createRoute, type OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import type { Scope } from '../../oauth/scope.ts';
import { SCOPES } from '../../oauth/scope.ts';
import { API_PROBLEMS, type ApiProblemCode } from '../problem.ts';
import { API_ENDPOINTS, errorPage, PATHS } from '../routes.ts';
import { pageQuerySchema } from './page-query.ts';
import { postPageSchema, problemSchema, profileSchema, serviceInfoSchema } from './schemas.ts';
