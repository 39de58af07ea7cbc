import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'

/** The agent of pages whose programs import one. */
export const guide = agent({ name: 'guide', model: scriptedModel('The National Museum is open on Monday.') })
