// The app of the shop's cart, by the official library.
import { App, applyDocumentTheme, PostMessageTransport } from '@modelcontextprotocol/ext-apps'

const app = new App({ name: 'cart', version: '1' }, {})
const line = (id: string): HTMLElement => {
  const element = document.createElement('p')
  element.id = id
  document.body.append(element)
  return element
}
const [input, result, outcome, paid] = [line('input'), line('result'), line('outcome'), line('paid')]

app.addEventListener('toolinput', ({ arguments: given }) => {
  input.textContent = `Item: ${given?.item}`
})
app.addEventListener('toolresult', ({ structuredContent }) => {
  result.textContent = `Result: ${JSON.stringify(structuredContent)}`
})
app.addEventListener('toolcancelled', ({ reason }) => {
  result.textContent = `Cancelled: ${reason}`
})
app.addEventListener('hostcontextchanged', ({ theme }) => theme && applyDocumentTheme(theme))

function button(words: string, act: () => Promise<unknown>): void {
  const element = document.createElement('button')
  element.textContent = words
  element.onclick = async () => {
    outcome.textContent = `${words} …`
    outcome.textContent = await act().then(
      (value) => `${words}: ${JSON.stringify(value)}`,
      (error: Error) => `${words} failed: ${error.message}`,
    )
  }
  document.body.append(element)
}
const call =
  (name: string, given: Record<string, unknown> = {}) =>
  async () => {
    const { structuredContent, isError, content } = await app.callServerTool({ name, arguments: given })
    return isError ? { isError, content } : structuredContent
  }
button('Pay', call('pay', { amount: 5 }))
button('Refresh', call('refresh'))
button('Secrets', call('secrets'))
button('Help', () => app.openLink({ url: 'https://shop.example/help' }))
button('Script', () => app.openLink({ url: 'javascript:alert(1)' }))
button('Say', () => app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'Is it in stock?' }] }))
button('Read', async () => (await app.readServerResource({ uri: 'shop://prices' })).contents)
button('List', async () => (await app.listServerResources()).resources.map(({ uri }) => uri))
button('Sample', () => app.request({ method: 'sampling/createMessage', params: { messages: [] } } as never))

await app.connect(new PostMessageTransport(window.parent, window.parent))
const { theme } = app.getHostContext() ?? {}
if (theme) applyDocumentTheme(theme)
const { contents } = await app.readServerResource({ uri: 'shop://paid' })
paid.textContent = `Paid: ${contents.map((each) => 'text' in each && each.text)}`
