// What the API sends (spec §2.2 to §2.5), field by field, in the words of its document. What is sent must have these
// types.

import { z } from '@hono/zod-openapi';
import { MOST_EXCERPT_CHARACTERS } from '../../community/excerpt.ts';
import { MOST_TITLE_CHARACTERS } from '../../community/post.ts';
import { MOST_BIO_CHARACTERS } from '../../identity/user.ts';
import { SCOPES } from '../../oauth/scope.ts';

const count = z.int().min(0);
const localTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
  .openapi({ description: 'Local time in UTC+8, without an offset.', example: '2026-03-01T08:30:00' });

export const profileSchema = z
  .object({
    id: z.int().min(1).openapi({ example: 7, description: 'The user identifier. It never changes.' }),
    username: z
      .string()
      .openapi({ minLength: 3, maxLength: 30, example: 'alice', description: 'Display name.' }),
    avatarUrl: z.url().openapi({ example: 'https://community.example/avatars/7.svg' }),
    bio: z.string().openapi({
      maxLength: MOST_BIO_CHARACTERS,
      example: 'Reads more than she writes.',
      description: 'One-line introduction; may be empty.',
    }),
    member: z.boolean().openapi({ example: true, description: 'Whether the user has a membership now.' }),
    level: z.int().min(1).openapi({ example: 4, description: 'User level.' }),
    xp: count.openapi({ example: 460, description: 'Experience points.' }),
    profileUrl: z.url().openapi({
      example: 'https://community.example/u/alice',
      description: "The user's public profile page.",
    }),
    createdAt: localTime,
  })
  .openapi('Profile');

export const postItemSchema = z
  .object({
    id: z.int().min(1).openapi({ example: 42 }),
    title: z.string().openapi({ minLength: 1, maxLength: MOST_TITLE_CHARACTERS, example: 'A walk at dawn' }),
    excerpt: z.string().openapi({
      maxLength: MOST_EXCERPT_CHARACTERS,
      example: 'The harbour was still asleep when I set out.',
      description: 'The beginning of the post as plain text.',
    }),
    url: z.url().openapi({ example: 'https://community.example/posts/42', description: 'The post page.' }),
    categoryName: z.string().openapi({ example: 'Travel' }),
    createdAt: localTime,
    likeCount: count.openapi({ example: 5 }),
    commentCount: count.openapi({ example: 2 }),
    viewCount: count.openapi({ example: 130 }),
  })
  .openapi('PostItem');

export const postPageSchema = z
  .object({
    items: z.array(postItemSchema).openapi({ description: 'Newest first.' }),
    page: count.openapi({ example: 0, description: 'Zero-based page index in effect.' }),
    size: z.int().min(1).openapi({ maximum: 50, example: 20, description: 'Page size in effect.' }),
    totalElements: count.openapi({ example: 1, description: "Total number of the user's published posts." }),
    totalPages: count.openapi({ example: 1, description: 'Total number of pages; 0 without posts.' }),
  })
  .openapi('PostPage');

export const serviceInfoSchema = z
  .object({
    name: z.string().openapi({ example: 'Portico API' }),
    version: z.string().openapi({ enum: ['v1'] }),
    scopes: z
      .array(z.string())
      .readonly()
      .openapi({ example: [...SCOPES], description: 'The scopes held by the presented token.' }),
    endpoints: z.array(
      z
        .object({
          method: z.string().openapi({ example: 'GET' }),
          path: z.string().openapi({ example: '/api/open/v1/me' }),
          scope: z.string().openapi({ example: 'profile:read', description: 'The scope required.' }),
        })
        .openapi('Endpoint'),
    ),
    docs: z.url().openapi({ example: 'https://community.example/docs' }),
  })
  .openapi('ServiceInfo');

/** RFC 9457. */
export const problemSchema = z
  .object({
    type: z.url().openapi({ description: 'A page that explains this very problem.' }),
    title: z.string(),
    status: z.int().openapi({ minimum: 400, maximum: 599 }),
    detail: z.string().openapi({ description: 'What was wrong this time, for the developer.' }),
  })
  .openapi('Problem');

export type Profile = z.infer<typeof profileSchema>;
export type PostItem = z.infer<typeof postItemSchema>;
export type PostPage = z.infer<typeof postPageSchema>;
export type ServiceInfo = z.infer<typeof serviceInfoSchema>;
