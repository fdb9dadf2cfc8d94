// `node packages/client/generate-answers.ts` writes src/answers.ts: the API's answers as types, made from the OpenAPI
// document that the server serves. A test checks that the file is the newest.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiDocument } from '../../src/http/api/openapi.ts';
import { SCHEMAS } from '../../src/http/api-schemas.ts';

interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  $ref?: string;
  enum?: string[];
}

const FILE = join(import.meta.dirname, 'src/answers.ts');

/** Return the text of src/answers.ts. */
export function answerTypes(): string {
  const { json } = apiDocument('Portico', 'https://community.example');
  const { schemas } = JSON.parse(json).components as { schemas: Record<string, Schema> };
  // The answers of the sign-in have types in oauth4webapi.
  const interfaces = Object.keys(SCHEMAS).map(
    (name) =>
      `export interface ${name} {\n${Object.entries(schemas[name]?.properties ?? {})
        .map(field)
        .join('')}}\n`,
  );
  return `// Made by generate-answers.ts from the OpenAPI document. Don't edit.\n\n${interfaces.join('\n')}`;
}

function field([name, schema]: [string, Schema]): string {
  const comment = schema.description === undefined ? '' : `  /** ${schema.description} */\n`;
  return `${comment}  ${name}: ${typeOf(schema)};\n`;
}

function typeOf({ type, items, $ref, enum: values }: Schema): string {
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  if (values !== undefined) return values.map((value) => `'${value}'`).join(' | ');
  if (type === 'array') return `${typeOf(items ?? {})}[]`;
  if (type === 'integer') return 'number';
  if (type === 'string' || type === 'boolean') return type;
  throw new Error(`A field of the API has the type ${type}, which is new here.`);
}

if (import.meta.main) writeFileSync(FILE, answerTypes());
