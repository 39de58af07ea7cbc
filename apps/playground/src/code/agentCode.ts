import type { AgentConfig } from '@interleave/config'
import { type Code, callCode, objectCode, printCode, textCode, valueCode } from './printCode.ts'
import { stepCode } from './stepCode.ts'
import { toolsCode } from './toolCode.ts'
import { byFile, Imports, NoCode, type ProgramHost, type Writing } from './Writing.ts'

export interface AgentOfProgram {
  readonly name: string
  readonly config: AgentConfig
  /** The variable of the agent. */
  readonly variable: string
}

interface Place {
  readonly host: ProgramHost
  readonly origin: string
}

/** The file that makes an agent. Throws `NoCode` if it uses a name that only files can use. */
export function agentCode(agent: AgentOfProgram, place: Place): string {
  const writing: Writing = { imports: new Imports(), before: new Map(), ...place }
  const made = callCode(writing.imports.add('@interleave/core', 'agent'), objectCode(optionsOf(agent, writing)))
  return fileCode(writing, `export const ${agent.variable} = ${printCode(made)}`)
}

/** A file with its imports, and what is declared before the agent. */
const fileCode = ({ imports, before }: Writing, end: string): string =>
  [String(imports), ...[...before.values()].map((code) => `${code}\n`), `${end}\n`].join('\n')

function optionsOf({ name, config }: AgentOfProgram, writing: Writing): Readonly<Record<string, Code>> {
  const { version, instructions, output, backend = 'reasonAct', exposeReasoning, prices } = config
  const tools = toolsCode(config, writing)
  const isUsual = printCode(stepCode(backend, { ...writing, imports: new Imports() })) === 'reasonAct()'
  const step = isUsual ? undefined : stepCode(backend, writing)
  return {
    name: textCode(name),
    ...(version !== undefined && { version: textCode(version) }),
    model: modelCode(config, writing),
    ...(instructions !== undefined && { instructions: instructionsCode(instructions) }),
    ...(tools !== undefined && { tools }),
    ...(output !== undefined && {
      output: callCode(
        writing.imports.add('@interleave/core', 'answer'),
        callCode(`${writing.imports.add('zod', 'z')}.fromJSONSchema`, valueCode(output)),
      ),
    }),
    ...(step !== undefined && { backend: step }),
    ...(exposeReasoning !== undefined && { exposeReasoning: valueCode(exposeReasoning) }),
    // Named prices belong to this page, and not to the agent.
    ...(typeof prices === 'object' && {
      prices: callCode(writing.imports.add('@interleave/core', 'prices'), valueCode(prices)),
    }),
  }
}

function modelCode({ model }: AgentConfig, { imports }: Writing): Code {
  if (model !== 'chosen') throw new NoCode(`Its file uses a model other than "chosen". ${byFile}`)
  return imports.add('./model.ts', 'model')
}

function instructionsCode(instructions: NonNullable<AgentConfig['instructions']>): Code {
  if (typeof instructions !== 'string') throw new NoCode(`A function computes its instructions. ${byFile}`)
  return textCode(instructions.trimEnd())
}
