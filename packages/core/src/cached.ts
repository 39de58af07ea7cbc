/** Returns the cached value of a key, or computes and caches it. The value lives as long as the key. */
export function cached<K extends object, V>(cache: WeakMap<K, V>, key: K, make: () => V): V {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  cache.set(key, made)
  return made
}
