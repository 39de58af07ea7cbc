/** Resolves once this is so. How long that may take is the test's own limit: it is no statement about the machine. */
export async function until(holds: () => unknown): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 1))
}
