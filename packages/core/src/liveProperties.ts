const source = Symbol('source')

/**
 * Creates a function that gives an object properties which read from a source at each access. The getters are shared:
 * getters in object literals would give each object its own hidden class, which engines keep, with everything in scope,
 * until a full garbage collection. `self` is the receiver, which may derive from the created object.
 */
export function liveProperties<Source, Live extends object>(
  readers: { readonly [Key in keyof Live]: (from: Source, self: unknown) => Live[Key] },
): <Plain extends object>(plain: Plain, from: Source) => Plain & Readonly<Live> {
  const getters = (Object.keys(readers) as (keyof Live)[]).map((key) => {
    const read = readers[key]
    function get(this: { readonly [source]: Source }): Live[keyof Live] {
      return read(this[source], this)
    }
    return [key, { enumerable: true, get }] as const
  })
  return <Plain extends object>(plain: Plain, from: Source) => {
    const object = Object.assign(plain, { [source]: from })
    for (const [key, getter] of getters) Object.defineProperty(object, key, getter)
    return object as Plain & Readonly<Live>
  }
}
