import {
  Circle,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CirclePause,
  CircleX,
  FileWarning,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react'
import type { RowWord } from './rows.ts'

const icons: Readonly<Record<RowWord, LucideIcon>> = {
  idle: Circle,
  working: LoaderCircle,
  'needs you': CircleHelp,
  done: CircleCheck,
  failed: CircleX,
  stopped: CirclePause,
  unfinished: CircleDashed,
  damaged: FileWarning,
}

/** The state of a run at a glance. Its word stands beside it. */
export function StateIcon({ word }: { word: RowWord }) {
  const Icon = icons[word]
  return <Icon aria-hidden className="state-icon" />
}
