import type { BrowserCase } from './browserCase.ts'
import { costs } from './costs.ts'
import { keeping } from './keeping.ts'
import { react } from './react.ts'
import { tabs } from './tabs.ts'

export const browserCases: readonly BrowserCase[] = [costs, react, keeping, tabs]
