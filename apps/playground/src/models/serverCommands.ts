/** The commands for one kind of model server. */
interface ServerCommands {
  readonly name: string
  readonly start: string
  readonly allow: string
  readonly list: string
  /** Gets `{model}`. */
  readonly load: string
  readonly tools: string
}

/** The kind of server that usually listens at an address, by its port. */
export function serverAt(url: string): ServerCommands {
  const port = URL.canParse(url) ? new URL(url).port : ''
  if (port === '11434') return ollama
  return port === '1234' ? lmStudio : llamaCpp
}

const ollama: ServerCommands = {
  name: 'Ollama',
  start: 'ollama serve',
  allow: 'OLLAMA_ORIGINS=http://127.0.0.1:5173 ollama serve',
  list: 'ollama list',
  load: 'ollama pull {model}',
  tools: 'Get a model that can: ollama pull qwen3',
}
const lmStudio: ServerCommands = {
  name: 'LM Studio',
  start: 'lms server start',
  allow: 'lms server start --cors',
  list: 'lms ls',
  load: 'lms load {model}',
  tools: 'Load a model that LM Studio marks with the hammer for tool use.',
}
const llamaCpp: ServerCommands = {
  name: 'The server',
  start: 'llama-server -m model.gguf --jinja --port 8080',
  allow: 'llama-server --cors-origins http://127.0.0.1:5173 …',
  list: 'curl http://127.0.0.1:8080/v1/models',
  load: 'llama-server -m {model}.gguf --jinja',
  tools: 'Start llama-server with --jinja and a model whose template knows tools.',
}
