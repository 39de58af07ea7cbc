import { expect, it } from 'vitest'
import { linkedTool, toolLink } from './toolLink.ts'

it.each([
  { agent: 'trip', tool: 'book' },
  { agent: 'a/b', tool: 'x y' },
  { agent: 'trip', tool: undefined },
])('leads to the tool that it was made for: %j', (tool) => {
  expect(linkedTool(toolLink(tool))).toEqual(tool)
})

it.each(['', '#/runs/1', '#/tools/', '#/tools/%'])('%j leads to no tool', (hash) => {
  expect(linkedTool(hash)).toBeUndefined()
})
