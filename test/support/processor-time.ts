// How much of the processor's time something takes, whatever else the machine does meanwhile.

/** The least of three times, in milliseconds. */
export function millisecondsOf(act: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    act();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
