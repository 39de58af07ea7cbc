// Writes proofs.json anew: `npm run x -- node test/expressions/prove.ts`.

import { writeFileSync } from 'node:fs'
import { checker, problemOf, proofsFile, readProofs, written } from './proofs.ts'
import { shippedExpressions } from './shippedExpressions.ts'

const known = process.argv.includes('--all') ? new Set<string>() : readProofs()
const linear = shippedExpressions().expressions.filter((one) => known.has(written(one)) || !problemOf(one))
writeFileSync(proofsFile, `${JSON.stringify({ checker, linear: linear.map(written).sort() }, null, 2)}\n`)
