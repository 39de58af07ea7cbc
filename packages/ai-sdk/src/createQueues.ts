/** Does work one after the other for each name. */
export function createQueues(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const done = (tails.get(name) ?? Promise.resolve()).then(work)
    const tail = done
      .catch(() => {})
      .then(() => {
        if (tails.get(name) === tail) tails.delete(name)
      })
    tails.set(name, tail)
    return done
  }
}
