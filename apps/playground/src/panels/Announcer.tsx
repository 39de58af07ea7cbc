import { useEffect, useState } from 'react'

/** The shortest time between two announcements, in milliseconds. Texts in between are skipped. */
const pauseMs = 2_000
/** An answer is read out from its beginning; the rest is there to be read. */
const longest = 400

/** Announces the latest words to screen readers, at most every two seconds. It is invisible. */
export function Announcer({ words }: { words: string }) {
  const [said, setSaid] = useState({ words: '', at: 0 })

  useEffect(() => {
    if (words === said.words) return
    const timer = setTimeout(() => setSaid({ words, at: Date.now() }), Math.max(0, said.at + pauseMs - Date.now()))
    return () => clearTimeout(timer)
  }, [words, said])

  return (
    <span role="status" className="visually-hidden">
      {said.words.slice(0, longest)}
    </span>
  )
}
