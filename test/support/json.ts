// Bodies whose shape a test asserts rather than declares.

/** The JSON body of an answer, to be looked into freely. */
// biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test finds out
export async function json(answer: Response | undefined): Promise<any> {
  return answer?.json();
}
