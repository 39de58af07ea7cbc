import { Suspense, use } from 'react'
import { linkedSection } from '../docs/sectionLink.ts'
import type { Section } from '../docs/sections.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { later, NotFetched } from '../parts/later.tsx'
import { useLinked } from '../run/useLinked.ts'

const Markdown = later(async () => (await import('../parts/Markdown.tsx')).Markdown)

/** The section of the documentation that the address names. Links of the docs reader lead here. */
export function SectionDialog() {
  const [id, close] = useLinked(linkedSection)
  return (
    <Dialog title={id?.split('#')[0] ?? 'Documentation'} isOpen={id !== undefined} onClose={close}>
      {id && (
        <Suspense fallback={<p className="thinking">Loading</p>}>
          <SectionText key={id} section={sectionWithId(id)} />
        </Suspense>
      )}
    </Dialog>
  )
}

function SectionText({ section }: { section: Promise<FoundSection> }) {
  const found = use(section)
  if (found === 'lost') return <NotFetched />
  return found ? <Markdown>{`## ${found.title}\n\n${found.body}`}</Markdown> : <p>There is no such section any more.</p>
}

type FoundSection = Section | undefined | 'lost'
const sections = new Map<string, Promise<FoundSection>>()

/** Caches the promise, since a new one in each render would suspend forever. */
function sectionWithId(id: string): Promise<FoundSection> {
  const known = sections.get(id)
  if (known) return known
  const loading = import('../docs/ownLibrary.ts').then(
    ({ ownLibrary }) => ownLibrary().read(id),
    (): 'lost' => {
      sections.delete(id)
      return 'lost'
    },
  )
  sections.set(id, loading)
  return loading
}
