import { capital } from '../parts/wording.ts'

/** The names of an agent in a program. */
export interface Names {
  readonly name: string
  readonly variable: string
  /** The same, as a type is written. */
  readonly type: string
  /** The name as a heading. */
  readonly title: string
  /** The name as a folder and a package. */
  readonly slug: string
}

export function namesOf(name: string): Names {
  const words = name.match(/[A-Za-z0-9]+/g)?.slice(0, 6) ?? []
  const pascal = words.map((word) => capital(word)).join('')
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1)
  const variable = /^[a-z]/.test(camel) && !taken.has(camel) ? camel : `my${pascal}Agent`
  return {
    name,
    variable,
    type: capital(variable),
    title: capital(words.join(' ')) || 'Agent',
    slug: words.join('-').toLowerCase().slice(0, 60) || 'my-agent',
  }
}

/** Words of the language, and names that the files of a program have already. */
const taken: ReadonlySet<string> = new Set(
  `agent answer app await book break case catch chat class const continue debugger default delete desk do else end enum export extends
  false finally for function graph handle id if implements import in instanceof interface journal let library limit model new null
  package page private protected public root router run serve shop signal static super switch this throw true try type typeof url
  value var void wait while with worker yield`.split(/\s+/),
)
