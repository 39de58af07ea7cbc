/** A link that opens a section of the documentation inside the playground. */
export const sectionLink = (id: string): string => `#/docs/${encodeURIComponent(id)}`

/** The section that an address names, if it names one. */
export function linkedSection(hash: string): string | undefined {
  const id = hash.startsWith('#/docs/') ? hash.slice('#/docs/'.length) : ''
  try {
    return decodeURIComponent(id) || undefined
  } catch {
    return undefined
  }
}
