import { createLibrary, type Library } from './library.ts'
import { markdownSections, sourceSections } from './sections.ts'

/** This project's own documentation, bundled at build time. */
export function ownLibrary(): Library {
  const documents = import.meta.glob<string>(
    [
      '../../../../README.md',
      '../../../../CONTRIBUTING.md',
      '../../../../docs/**/*.md',
      '!**/docs/reference/**',
      '!**/docs/decisions/**',
      '!**/docs/requirements.md',
    ],
    { query: '?raw', import: 'default', eager: true },
  )
  const sources = import.meta.glob<string>(
    ['../../../../packages/*/src/**/*.{ts,tsx}', '!../../../../packages/**/*.{test,test-d}.*'],
    { query: '?raw', import: 'default', eager: true },
  )
  return createLibrary([
    ...Object.entries(documents).flatMap(([path, text]) => markdownSections(fileOf(path), text)),
    ...Object.entries(sources).flatMap(([path, text]) => sourceSections(fileOf(path), text)),
  ])
}

const fileOf = (path: string): string => path.replaceAll('../', '')
