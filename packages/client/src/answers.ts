// Made by generate-answers.ts from the OpenAPI document. Don't edit.

export interface ServiceInfo {
  /** Name of the API. */
  name: string;
  /** Version of the API. */
  version: 'v1';
  /** The scopes held by the presented token. */
  scopes: string[];
  /** The endpoints that need a scope. */
  endpoints: Endpoint[];
  /** This documentation. */
  docs: string;
}

export interface Endpoint {
  /** The method of HTTP. */
  method: string;
  /** The path on this server. */
  path: string;
  /** The scope required. */
  scope: string;
}

export interface Problem {
  /** The address of a page that explains this problem. */
  type: string;
  /** The problem in short, the same for every request. */
  title: string;
  /** The status of HTTP. */
  status: number;
  /** The cause in this request, for the developer. */
  detail: string;
}

export interface Profile {
  /** The user identifier. It never changes and is never reused. As a string it is `sub`. */
  id: number;
  /** Username. It can change, so recognise members by `id`. */
  username: string;
  /** Address of the avatar. It changes with the picture. */
  avatarUrl: string;
  /** One-line introduction; may be empty. */
  bio: string;
  /** Whether the user has a membership now. */
  member: boolean;
  /** User level. */
  level: number;
  /** Experience points. */
  xp: number;
  /** The user's public profile page. */
  profileUrl: string;
  /** When the account was created. Local time in UTC+8, without an offset. */
  createdAt: string;
}

export interface PostPage {
  /** Newest first. */
  items: PostItem[];
  /** Zero-based page index in effect. */
  page: number;
  /** Page size in effect. */
  size: number;
  /** Total number of the user's published posts. */
  totalElements: number;
  /** Total number of pages; 0 without posts. */
  totalPages: number;
}

export interface PostItem {
  /** The post identifier. It never changes. */
  id: number;
  /** Plain text. Escape it before you display it. */
  title: string;
  /** The beginning of the post as plain text. Escape it before you display it. */
  excerpt: string;
  /** The post page. */
  url: string;
  /** Name of the category. */
  categoryName: string;
  /** When the post was published. Local time in UTC+8, without an offset. */
  createdAt: string;
  /** Number of likes. */
  likeCount: number;
  /** Number of comments. */
  commentCount: number;
  /** Number of views. */
  viewCount: number;
}
