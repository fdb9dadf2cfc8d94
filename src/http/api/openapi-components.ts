// The parts of the OpenAPI document that its operations share: headers, problems and authentication.

import { scopeWords } from '../pages/scope-words.ts';
import { API_PROBLEMS, type ApiProblemCode } from '../problem.ts';
import { errorPage, PATHS } from '../routes.ts';

/** The headers of answers by name. */
export const HEADERS = {
  'Cache-Control': header('Whether and how long the answer can be kept.', 'no-store'),
  ETag: header('The entity tag of the body, for `If-None-Match`.', '"Jd4xYFqoJ0ZG2m7lzCqu6g"'),
  RateLimit: header('Requests left (`r`), and seconds until the window closes (`t`).', '"default";r=59;t=60'),
  'RateLimit-Policy': header('The limit: `q` requests in a window of `w` seconds.', '"default";q=60;w=60'),
  'Retry-After': header('How many seconds to wait before the next request.', '60'),
  'WWW-Authenticate': header('What is wrong with the token (RFC 6750).', 'Bearer realm="…", error="…"'),
  'X-Token-Expires-At': header(
    'When the API token expires, in UTC. Only for API tokens that expire.',
    '2027-02-21T09:30:00.000Z',
  ),
};

export type HeaderName = keyof typeof HEADERS;

/** Refer to headers by name, as an answer lists them. */
export function headersOf(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Refer to a schema by name. */
export function schemaRef(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Describe the answers for problems, under their statuses. */
export function problemResponses(codes: readonly ApiProblemCode[], baseUrl: string) {
  const byStatus = Object.groupBy(codes, (code) => API_PROBLEMS[code].status);
  return Object.fromEntries(
    Object.values(byStatus).map((together) => [
      API_PROBLEMS[together[0] as ApiProblemCode].status,
      problemResponse(together, baseUrl),
    ]),
  );
}

function problemResponse(codes: readonly ApiProblemCode[], baseUrl: string) {
  const problems = codes.map((code) => ({ code, ...API_PROBLEMS[code] }));
  const [first] = problems;
  if (first === undefined) throw new Error('No problem.');
  const examples = problems.map(({ code, status, title }) => [
    code,
    { value: { type: errorPage(baseUrl, code), title, status, detail: 'More about this request.' } },
  ]);
  return {
    description: problems.map(({ title }) => `${title}.`).join(' '),
    headers: headersOf(...PROBLEM_HEADERS[first.status]),
    content: {
      'application/problem+json': {
        schema: { $ref: schemaRef('Problem') },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const PROBLEM_HEADERS: Record<(typeof API_PROBLEMS)[ApiProblemCode]['status'], HeaderName[]> = {
  400: ['RateLimit', 'RateLimit-Policy'],
  401: ['RateLimit-Policy', 'WWW-Authenticate'],
  403: ['RateLimit', 'RateLimit-Policy', 'WWW-Authenticate'],
  404: ['RateLimit-Policy'],
  405: ['RateLimit-Policy'],
  429: ['RateLimit', 'RateLimit-Policy', 'Retry-After'],
  500: ['RateLimit-Policy'],
  503: ['RateLimit-Policy', 'Retry-After'],
};

/** Describe the two kinds of tokens (spec §5.1), which are sent in the Authorization header, and the client secret. */
export function securitySchemes(baseUrl: string) {
  return {
    oauth2: {
      type: 'oauth2',
      description: 'An access token that an application got from the user, with PKCE.',
      flows: {
        authorizationCode: {
          authorizationUrl: baseUrl + PATHS.authorize,
          tokenUrl: baseUrl + PATHS.token,
          refreshUrl: baseUrl + PATHS.token,
          scopes: Object.fromEntries(
            Object.entries(scopeWords.en).map(([scope, { reads }]) => [scope, reads]),
          ),
        },
      },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API token that the user created under "Settings, API tokens", or any access token.',
    },
    client: {
      type: 'http',
      scheme: 'basic',
      description:
        'The `client_id` and the `client_secret`, each percent-encoded. They can be in the form instead.',
    },
  } as const;
}

function header(description: string, example: string) {
  return { description, schema: { type: 'string' as const }, example };
}
