/** Time that this process computed: it does not grow where the machine is busy with something else. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
