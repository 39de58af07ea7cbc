// What an app loads that has an agent with tools, questions and approvals, for the size limits.

export { agent, choice, choices, confirm, form, text, tool } from '@interleave/core'
