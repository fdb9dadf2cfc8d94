// The parts of the OpenAPI document that the reference shows, put in order for it.

/** A schema of JSON Schema, as far as the document has it. */
export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  example?: unknown;
  default?: unknown;
  enum?: readonly string[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
}

export interface Parameter {
  name: string;
  in: 'query' | 'header';
  required: boolean;
  description: string;
  schema: Schema;
}

interface Content {
  schema: Schema;
  examples?: Record<string, unknown>;
}

interface Response {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, Content>;
  'x-errors'?: readonly string[];
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  security: readonly Record<string, readonly string[]>[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
}

type Method = 'get' | 'post';

/** The document. */
export interface Description {
  servers: readonly { url: string }[];
  tags: readonly { name: string; description: string }[];
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, { description: string; example: string }>;
  };
  paths: Record<string, { servers?: readonly { url: string }[] } & Partial<Record<Method, Operation>>>;
}

/** A field of an answer, or of a form. */
export interface Field {
  name: string;
  type: string;
  schema: Schema;
  isRequired: boolean;
}

/** An address with its methods. */
export interface Endpoint {
  id: string;
  tag: string;
  /** The methods, which all do the same. */
  methods: readonly Method[];
  /** Without the server. */
  path: string;
  operation: Operation;
  fields: readonly Field[];
  form: readonly Field[];
  /** An earlier endpoint whose answer has the same fields. */
  sameAnswer: Pick<Endpoint, 'id' | 'path'> | undefined;
  /** Answers in JSON, so that a script can call it. */
  isCallable: boolean;
  needsToken: boolean;
  errors: readonly { code: string; status: string }[];
  headers: readonly string[];
}

/** List the endpoints in the order of the document. `baseUrl` is the address of the server. */
export function endpointsOf(description: Description, baseUrl: string): Endpoint[] {
  const byAnswer = new Map<string, Pick<Endpoint, 'id' | 'path'>>();
  return Object.entries(description.paths).flatMap(([path, { servers = description.servers, get, post }]) => {
    const operation = get ?? post;
    if (operation === undefined) return [];
    const own = (servers[0]?.url ?? '').slice(baseUrl.length);
    const success = operation.responses[200] ?? operation.responses[202];
    const answer = success?.content?.['application/json']?.schema;
    const place = { id: operation.operationId, path: own + path };
    const sameAnswer = byAnswer.get(answer?.$ref ?? '');
    if (answer?.$ref !== undefined && sameAnswer === undefined) byAnswer.set(answer.$ref, place);
    const [body] = Object.values(post?.requestBody?.content ?? {});
    return {
      ...place,
      tag: operation.tags[0] ?? '',
      methods: [...(get ? (['get'] as const) : []), ...(post ? (['post'] as const) : [])],
      operation,
      fields: fieldsOf(description, answer),
      sameAnswer,
      form: get === undefined ? fieldsOf(description, body?.schema) : [],
      isCallable: get !== undefined && answer !== undefined,
      needsToken: operation.security.length > 0 && !operation.security.some((one) => 'client' in one),
      errors: errorsOf(operation),
      headers: [
        ...new Set(Object.values(operation.responses).flatMap(({ headers = {} }) => Object.keys(headers))),
      ],
    };
  });
}

function errorsOf({ responses }: Operation): Endpoint['errors'] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const examples = Object.values(response.content ?? {}).flatMap(({ examples = {} }) =>
      Object.keys(examples),
    );
    return [...examples, ...(response['x-errors'] ?? [])].map((code) => ({ code, status }));
  });
}

/** List the fields of a schema, those of objects in it as `items[].id`. */
function fieldsOf({ components }: Description, schema: Schema | undefined, prefix = ''): Field[] {
  const resolved = resolve(components.schemas, schema);
  return Object.entries(resolved.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key;
    const isRequired = resolved.required?.includes(key) ?? false;
    const item = property.items && resolve(components.schemas, property.items);
    const type = item ? `array of ${item.type ?? ''}` : (property.type ?? '');
    const inner = fieldsOf({ components } as Description, property.items, `${name}[].`);
    return [{ name, type, schema: property, isRequired }, ...inner];
  });
}

function resolve(schemas: Record<string, Schema>, schema: Schema = {}): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
}
