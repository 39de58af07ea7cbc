import { type ReactNode, useId } from 'react'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { type FieldPlace, labelOf } from './fieldKind.ts'
import { useProblemAt } from './problemAt.ts'

export interface FrameProps {
  readonly name: string
  readonly place: FieldPlace
  readonly children: ReactNode
}

/** A group of inputs with their label, hint and error. */
export function Frame({ name, place, children }: FrameProps): ReactNode {
  const { description } = place.schema
  const id = useId()
  const problem = useProblemAt(place)
  const about = [description && `${id}hint`, problem && `${id}problem`].filter(Boolean).join(' ')
  return (
    <fieldset data-interleave={name} aria-describedby={about || undefined}>
      <legend>
        <UntrustedText limit={200}>{labelOf(place)}</UntrustedText>
      </legend>
      {description && (
        <small id={`${id}hint`}>
          <UntrustedText>{description}</UntrustedText>
        </small>
      )}
      {children}
      {problem && (
        <small id={`${id}problem`} data-interleave="field-problem">
          <UntrustedText>{problem}</UntrustedText>
        </small>
      )}
    </fieldset>
  )
}
