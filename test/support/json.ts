// JSON bodies, whose shape a test asserts and doesn't declare.

/** Return the JSON body of a response. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the body has
export async function json(answer: Response | undefined): Promise<any> {
  return answer?.json();
}
