// Making an input shorter while it keeps its problem.

/** The shortest input that could be made in this time by leaving out parts. */
export async function minimised(
  input: string,
  hasProblem: (shorter: string) => Promise<boolean>,
  seconds: number,
): Promise<string> {
  const deadline = performance.now() + seconds * 1000;
  let shortest = input;
  for (let size = Math.ceil(input.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < shortest.length; ) {
      if (performance.now() > deadline) return shortest;
      const shorter = shortest.slice(0, from) + shortest.slice(from + size);
      if (await hasProblem(shorter)) shortest = shorter;
      else from += size;
    }
  }
  return shortest;
}
