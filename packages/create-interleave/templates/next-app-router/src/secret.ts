/** Signs the questions of runs. `npm start` needs one that stays: `echo SECRET=$(openssl rand -hex 32) >> .env.local` */
export const secret = process.env.SECRET || secretOfDevelopment()

/** Makes a secret for `npm run dev`, and for the build: after a restart, a page fetches its open questions again. */
function secretOfDevelopment(): string {
  const { NODE_ENV, NEXT_PHASE } = process.env
  const isBuilding = NEXT_PHASE === 'phase-production-build'
  if (NODE_ENV === 'production' && !isBuilding) {
    throw new Error('SECRET is not set. Run `echo SECRET=$(openssl rand -hex 32) >> .env.local`, and start again.')
  }
  if (!isBuilding) console.log('SECRET is not set: this start has one of its own.')
  const made = crypto.randomUUID() + crypto.randomUUID()
  // In development, Next evaluates a module again and again: what it has signed stays valid.
  process.env.SECRET = made
  return made
}
