const source = Symbol('source')

/**
 * Makes a function that gives an object properties which are read anew from a source each time. Their getters are shared:
 * with getters in its own literal, each object has a hidden class of its own, which engines keep, with all that the
 * getters see, until their next full collection of garbage. `self` is the object asked, which may be derived from the one made.
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
