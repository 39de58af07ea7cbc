export function App() {
  return (
    <main>
      <h1>Interleave</h1>
    </main>
  )
}
