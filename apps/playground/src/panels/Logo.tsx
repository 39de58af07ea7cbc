/** Two strands, interleaved. */
export const Logo = () => (
  <svg className="logo" viewBox="0 0 32 32" fill="none" strokeWidth="3.5" strokeLinecap="round" aria-hidden="true">
    <path d="M5 10c6 0 5 12 11 12s5-12 11-12" stroke="var(--accent)" />
    <path d="M5 22c2.6 0 4-2.2 5.2-4.8M13.4 11.6C14.100 10.600 15 10 16 10c6 0 5 12 11 12" stroke="var(--action)" />
  </svg>
)
