/** Signs the questions of runs. `npm start` needs one that stays: `echo SECRET=$(openssl rand -hex 32) >> .env` */
export const secret = process.env.SECRET || secretOfDevelopment()

/** Makes a secret for `npm run dev`: after a restart, a page fetches its open questions again. */
function secretOfDevelopment(): string {
  // Vite sets this; plain Node does not.
  if (!import.meta.env?.DEV || process.env.NODE_ENV === 'production') {
    throw new Error('SECRET is not set. Run `echo SECRET=$(openssl rand -hex 32) >> .env`, and start again.')
  }
  console.log('SECRET is not set: this start has one of its own.')
  return crypto.randomUUID() + crypto.randomUUID()
}
