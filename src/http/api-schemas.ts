// The fields of the API's answers (spec §2.2 to §2.5), with their descriptions for the OpenAPI document. The
// compiler checks the code against the types below.

import { z } from 'zod';
import { MOST_EXCERPT_CHARACTERS } from '../community/excerpt.ts';
import { MOST_TITLE_CHARACTERS } from '../community/post.ts';
import { MOST_BIO_CHARACTERS } from '../identity/bio.ts';
import { SCOPES } from '../oauth/scope.ts';
import { LARGEST_SIZE } from './page-query.ts';

const count = z.int().min(0);
const localTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
  .meta({ description: 'Local time in UTC+8, without an offset.', example: '2026-03-01T08:30:00' });

const profileSchema = z.object({
  id: z.int().min(1).meta({ example: 7, description: 'The user identifier. It never changes.' }),
  username: z.string().min(3).max(30).meta({ example: 'alice', description: 'Display name.' }),
  avatarUrl: z.url().meta({ example: 'https://community.example/avatars/7.svg' }),
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
  createdAt: localTime,
});

const postItemSchema = z.object({
  id: z.int().min(1).meta({ example: 42 }),
  title: z.string().min(1).max(MOST_TITLE_CHARACTERS).meta({ example: 'A walk at dawn' }),
  excerpt: z.string().max(MOST_EXCERPT_CHARACTERS).meta({
    example: 'The harbour was still asleep when I set out.',
    description: 'The beginning of the post as plain text.',
  }),
  url: z.url().meta({ example: 'https://community.example/posts/42', description: 'The post page.' }),
  categoryName: z.string().meta({ example: 'Travel' }),
  createdAt: localTime,
  likeCount: count.meta({ example: 5 }),
  commentCount: count.meta({ example: 2 }),
  viewCount: count.meta({ example: 130 }),
});

const postPageSchema = z.object({
  items: z.array(postItemSchema).meta({ description: 'Newest first.' }),
  page: count.meta({ example: 0, description: 'Zero-based page index in effect.' }),
  size: z.int().min(1).max(LARGEST_SIZE).meta({ example: 20, description: 'Page size in effect.' }),
  totalElements: count.meta({ example: 1, description: "Total number of the user's published posts." }),
  totalPages: count.meta({ example: 1, description: 'Total number of pages; 0 without posts.' }),
});

const endpointSchema = z.object({
  method: z.string().meta({ example: 'GET' }),
  path: z.string().meta({ example: '/api/open/v1/me' }),
  scope: z.string().meta({ example: 'profile:read', description: 'The scope required.' }),
});

const serviceInfoSchema = z.object({
  name: z.string().meta({ example: 'Portico API' }),
  version: z.string().meta({ enum: ['v1'] }),
  scopes: z
    .array(z.string())
    .readonly()
    .meta({ example: [...SCOPES], description: 'The scopes held by the presented token.' }),
  endpoints: z.array(endpointSchema),
  docs: z.url().meta({ example: 'https://community.example/docs' }),
});

/** A problem document (RFC 9457). */
const problemSchema = z.object({
  type: z.url().meta({ description: 'The address of a page that explains this problem.' }),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().meta({ description: 'The cause in this request, for the developer.' }),
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
