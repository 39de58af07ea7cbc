// Lets TypeScript resolve `import '@interleave/react/styles.css'`.
export {}
