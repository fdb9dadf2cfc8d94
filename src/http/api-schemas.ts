// The fields of the API's answers (spec §2.2 to §2.5), with their descriptions for the OpenAPI document. The
// compiler checks the code against the types below.

import { z } from 'zod';
import { MOST_EXCERPT_CHARACTERS } from '../community/excerpt.ts';
import { MOST_TITLE_CHARACTERS } from '../community/post.ts';
import { MOST_BIO_CHARACTERS } from '../identity/bio.ts';
import { SCOPES } from '../oauth/scope.ts';
import { LARGEST_SIZE } from './page-query.ts';

const count = z.int().min(0);
const localTime = (what: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
    .meta({ description: `${what} Local time in UTC+8, without an offset.`, example: '2026-03-01T08:30:00' });

const profileSchema = z.object({
  id: z.int().min(1).meta({
    example: 7,
    description: 'The user identifier. It never changes and is never reused. As a string it is `sub`.',
  }),
  username: z
    .string()
    .min(3)
    .max(30)
    .meta({ example: 'alice', description: 'Username. It can change, so recognise members by `id`.' }),
  avatarUrl: z.url().meta({
    example: 'https://community.example/avatars/7.svg',
    description: 'Address of the avatar. It changes with the picture.',
  }),
  bio: z.string().max(MOST_BIO_CHARACTERS).meta({
    example: 'Reads more than she writes.',
    description: 'One-line introduction; may be empty.',
  }),
  member: z.boolean().meta({ example: true, description: 'Whether the user has a membership now.' }),
  level: z.int().min(1).meta({ example: 4, description: 'User level.' }),
  xp: count.meta({ example: 460, description: 'Experience points.' }),
  profileUrl: z.url().meta({
    example: 'https://community.example/u/alice',
    description: "The user's public profile page.",
  }),
  createdAt: localTime('When the account was created.'),
});

const postItemSchema = z.object({
  id: z.int().min(1).meta({ example: 42, description: 'The post identifier. It never changes.' }),
  title: z.string().min(1).max(MOST_TITLE_CHARACTERS).meta({
    example: 'A walk at dawn',
    description: 'Plain text. Escape it before you display it.',
  }),
  excerpt: z.string().max(MOST_EXCERPT_CHARACTERS).meta({
    example: 'The harbour was still asleep when I set out.',
    description: 'The beginning of the post as plain text. Escape it before you display it.',
  }),
  url: z.url().meta({ example: 'https://community.example/posts/42', description: 'The post page.' }),
  categoryName: z.string().meta({ example: 'Travel', description: 'Name of the category.' }),
  createdAt: localTime('When the post was published.'),
  likeCount: count.meta({ example: 5, description: 'Number of likes.' }),
  commentCount: count.meta({ example: 2, description: 'Number of comments.' }),
  viewCount: count.meta({ example: 130, description: 'Number of views.' }),
});

const postPageSchema = z.object({
  items: z.array(postItemSchema).meta({ description: 'Newest first.' }),
  page: count.meta({ example: 0, description: 'Zero-based page index in effect.' }),
  size: z.int().min(1).max(LARGEST_SIZE).meta({ example: 20, description: 'Page size in effect.' }),
  totalElements: count.meta({ example: 1, description: "Total number of the user's published posts." }),
  totalPages: count.meta({ example: 1, description: 'Total number of pages; 0 without posts.' }),
});

const endpointSchema = z.object({
  method: z.string().meta({ example: 'GET', description: 'The method of HTTP.' }),
  path: z.string().meta({ example: '/api/open/v1/me', description: 'The path on this server.' }),
  scope: z.string().meta({ example: 'profile:read', description: 'The scope required.' }),
});

const serviceInfoSchema = z.object({
  name: z.string().meta({ example: 'Portico API', description: 'Name of the API.' }),
  version: z.string().meta({ enum: ['v1'], example: 'v1', description: 'Version of the API.' }),
  scopes: z
    .array(z.string())
    .readonly()
    .meta({ example: [...SCOPES], description: 'The scopes held by the presented token.' }),
  endpoints: z.array(endpointSchema).meta({ description: 'The endpoints that need a scope.' }),
  docs: z.url().meta({ example: 'https://community.example/docs', description: 'This documentation.' }),
});

/** A problem document (RFC 9457). */
const problemSchema = z.object({
  type: z.url().meta({
    example: 'https://community.example/docs/errors/insufficient_scope',
    description: 'The address of a page that explains this problem.',
  }),
  title: z.string().meta({
    example: 'The access token lacks a scope',
    description: 'The problem in short, the same for every request.',
  }),
  status: z.int().min(400).max(599).meta({ example: 403, description: 'The status of HTTP.' }),
  detail: z.string().meta({
    example: 'The token lacks the scope posts:read; it has profile:read.',
    description: 'The cause in this request, for the developer.',
  }),
});

/** The schemas by their names in the OpenAPI document. */
export const SCHEMAS = {
  ServiceInfo: serviceInfoSchema,
  Endpoint: endpointSchema,
  Problem: problemSchema,
  Profile: profileSchema,
  PostPage: postPageSchema,
  PostItem: postItemSchema,
};

export type Profile = z.infer<typeof profileSchema>;
export type PostItem = z.infer<typeof postItemSchema>;
export type PostPage = z.infer<typeof postPageSchema>;
export type ServiceInfo = z.infer<typeof serviceInfoSchema>;
