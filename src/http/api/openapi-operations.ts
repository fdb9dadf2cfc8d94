// How the OpenAPI document describes the endpoints outside the API: their servers, forms and answers.

import { errorPage } from '../routes.ts';
import { type HeaderName, headersOf, schemaRef } from './openapi-components.ts';
import type { objectOf } from './openapi-oauth-schemas.ts';

interface ResponseDescription {
  description: string;
  headers?: object;
  content?: object;
  /** The codes of the errors, for answers that have no JSON. */
  'x-errors'?: readonly string[];
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  /** Empty for an endpoint that everyone may use. */
  security: readonly Record<string, readonly string[]>[];
  parameters?: readonly object[];
  requestBody?: object;
  responses: Record<number, ResponseDescription>;
}

export interface Parameter {
  name: string;
  description: string;
  example: string | number;
  type?: 'integer' | 'string';
  isRequired?: boolean;
  values?: readonly string[];
}

/** Describe a path that isn't below the API. */
export function atRoot(baseUrl: string, operations: Partial<Record<'get' | 'post', Operation>>) {
  const servers = [{ url: baseUrl }];
  return {
    servers,
    ...JSON.parse(JSON.stringify(operations).replaceAll(ERROR_PAGE, errorPage(baseUrl, ''))),
  };
}

// Stands for the address of the errors' pages, which is known only with the address of the server.
const ERROR_PAGE = 'error-page:';

/** Describe parameters in the query. */
export function asQuery(parameters: readonly Parameter[]) {
  return parameters.map((parameter) => ({
    name: parameter.name,
    in: 'query',
    required: parameter.isRequired ?? false,
    description: parameter.description,
    schema: schemaOf(parameter),
  }));
}

/** Describe the same parameters as a form. */
export function asForm(parameters: readonly Parameter[]): ReturnType<typeof objectOf> {
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const properties = parameters.map((parameter) => [parameter.name, schemaOf(parameter)]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

function schemaOf({ type = 'string', description, example, values }: Parameter) {
  return { type, description, example, ...(values && { enum: values }) };
}

/** Describe a form in the body. */
export function formBody(schema: object, required = true) {
  return { required, content: { 'application/x-www-form-urlencoded': { schema } } };
}

/** Describe an answer in JSON, with a schema or else an empty object. */
export function json(description: string, schema?: string, ...headers: HeaderName[]): ResponseDescription {
  const content = schema === undefined ? { type: 'object' } : { $ref: schemaRef(schema) };
  return {
    description,
    headers: headersOf(...headers),
    content: { 'application/json': { schema: content } },
  };
}

/** Describe an answer that is a page. */
export function pageOf(description: string): ResponseDescription {
  return { description, content: { 'text/html': { schema: { type: 'string' } } } };
}

/** Describe the refusals with a status, each by its code, or by its code and the page that explains it. */
export function refusals(
  status: 400 | 401 | 403 | 422 | 429 | 500 | 503,
  ...codes: (string | [code: string, page: string])[]
): Record<number, ResponseDescription> {
  const errors = codes.map((code) => (typeof code === 'string' ? ([code, code] as const) : code));
  const examples = errors.map(([error, page]) => {
    const error_uri = `${ERROR_PAGE}${page}`;
    return [page, { value: { error, error_description: 'More about this request.', error_uri } }];
  });
  const content = { schema: { $ref: schemaRef('OAuthError') }, examples: Object.fromEntries(examples) };
  return {
    [status]: {
      description: `Refused: ${errors.map(([error]) => `\`${error}\``).join(', ')}.`,
      ...(RETRIED.includes(status) && { headers: headersOf('Retry-After') }),
      content: { 'application/json': content },
    },
  };
}

const RETRIED = [429, 503];

/** The answers of a server that fails. */
export const UNAVAILABLE = { ...refusals(500, 'server_error'), ...refusals(503, 'temporarily_unavailable') };
