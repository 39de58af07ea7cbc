import type { MathNode } from 'mathjs'
import { math, tidy } from './math.ts'

const functions = new Set(
  'abs acos asin atan atan2 cbrt ceil cos cosh exp factorial floor gcd hypot lcm log log10 log2 max mean median min mod nthRoot pow prod round sign sin sinh sqrt square std sum tan tanh variance'.split(
    ' ',
  ),
)
const constants = new Set(['pi', 'e', 'tau', 'phi'])
const nodes = new Set(['ConstantNode', 'OperatorNode', 'ParenthesisNode', 'FunctionNode', 'SymbolNode', 'ArrayNode'])

/** Returns the value of an arithmetic expression of numbers, operators and well-known functions only. */
export function evaluateSafely(expression: string): number | string {
  if (expression.length > 500) throw new Error('The expression is too long: use at most 500 characters.')
  const parsed = math.parse(
    expression
      .replace(/%\s+of\s+/gi, '/ 100 * ')
      .replaceAll('×', '*')
      .replaceAll('÷', '/'),
  )
  parsed.traverse(refuseUnsafe)
  const value: unknown = parsed.evaluate()
  if (typeof value !== 'number') return math.format(value, { precision: 14 })
  if (!Number.isFinite(value)) throw new Error('The result is not a finite number.')
  return tidy(value)
}

function refuseUnsafe(node: MathNode, path: string, parent: MathNode | null): void {
  if (!nodes.has(node.type))
    throw new Error('This is not arithmetic. Use numbers, operators and functions such as sqrt.')
  if (node.type !== 'SymbolNode') return
  const isCalled = parent?.type === 'FunctionNode' && path === 'fn'
  const name = String(node)
  if (!(isCalled ? functions : constants).has(name)) throw new Error(`"${name}" is not known to this calculator.`)
}
