// Makes exports as WordPress does. Read in WordPress/WordPress, wp-admin/includes/export.php.

export interface WordPressPost {
  id: number;
  /** A login name. */
  author: string;
  title: string;
  html: string;
  comments: readonly { id: number; userId: number; text: string }[];
}

/** The text of an export. The authors' ids are their places in the list, from 1. */
export function wxr(authors: readonly string[], posts: readonly WordPressPost[]): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0"
	xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
	xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:dc="http://purl.org/dc/elements/1.1/"
	xmlns:wp="http://wordpress.org/export/1.2/"
>
<channel>
	<title>Old</title>
	<link>https://old.example</link>
	<wp:wxr_version>1.2</wp:wxr_version>
	<wp:base_site_url>https://old.example</wp:base_site_url>
	<wp:base_blog_url>https://old.example</wp:base_blog_url>
${authors.map(authorOf).join('')}${posts.map(itemOf).join('')}</channel>
</rss>
`;
}

function authorOf(login: string, index: number): string {
  const id = `<wp:author_id>${index + 1}</wp:author_id>`;
  return `	<wp:author>${id}<wp:author_login>${cdata(login)}</wp:author_login></wp:author>\n`;
}

function itemOf({ id, author, title, html, comments }: WordPressPost): string {
  return `	<item>
		<title>${title}</title>
		<link>https://old.example/2024/05/01/post-${id}/</link>
		<dc:creator>${cdata(author)}</dc:creator>
		<content:encoded>${cdata(html)}</content:encoded>
		<wp:post_id>${id}</wp:post_id>
		<wp:post_date>2024-05-01 10:00:00</wp:post_date>
		<wp:post_date_gmt>2024-05-01 08:00:00</wp:post_date_gmt>
		<wp:post_name>post-${id}</wp:post_name>
		<wp:status>publish</wp:status>
		<wp:post_type>post</wp:post_type>
		<wp:post_password></wp:post_password>
${comments.map(commentOf).join('')}	</item>
`;
}

function commentOf({ id, userId, text }: WordPressPost['comments'][number]): string {
  return `		<wp:comment>
			<wp:comment_id>${id}</wp:comment_id>
			<wp:comment_author>${cdata('Someone')}</wp:comment_author>
			<wp:comment_date>2024-05-01 10:00:00</wp:comment_date>
			<wp:comment_date_gmt>2024-05-01 08:00:00</wp:comment_date_gmt>
			<wp:comment_content>${cdata(text)}</wp:comment_content>
			<wp:comment_approved>1</wp:comment_approved>
			<wp:comment_type></wp:comment_type>
			<wp:comment_parent>0</wp:comment_parent>
			<wp:comment_user_id>${userId}</wp:comment_user_id>
		</wp:comment>
`;
}

function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}
