import type { ReactNode } from 'react'
import type { Diagnosis } from '../models/index.ts'
import './diagnosisCard.css'

/** A fault, its meaning, and the next thing to do. */
export function DiagnosisCard({
  diagnosis,
  children,
}: {
  diagnosis: Omit<Diagnosis, 'problem'>
  children?: ReactNode
}) {
  const { title, explanation, steps, detail } = diagnosis
  return (
    <div className="diagnosis">
      <h3>{title}</h3>
      <p>{explanation}</p>
      {steps.length > 0 && (
        <ol>
          {steps.map((step) => (
            <li key={step}>{withLinks(step)}</li>
          ))}
        </ol>
      )}
      {children && <div className="diagnosis-actions">{children}</div>}
      {detail && (
        <details>
          <summary>Raw error</summary>
          <code>{detail}</code>
        </details>
      )}
    </div>
  )
}

/** Makes links of the addresses in a step. */
const withLinks = (step: string): readonly ReactNode[] =>
  step.split(/(https?:\/\/\S*[\w/])/).map((part, index) =>
    index % 2 === 1 ? (
      <a key={index} href={part} target="_blank" rel="noopener noreferrer">
        {part}
      </a>
    ) : (
      part
    ),
  )
