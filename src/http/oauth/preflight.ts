// CORS for the endpoints that applications call from their own pages.

/** Answer OPTIONS for a page of another origin. `headers` allow the origin. */
export function preflightResponse(methods: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': 'Authorization, Content-Type',
      'Access-Control-Max-Age': '86400',
    },
  });
}
