// Lets TypeScript resolve `import '@interleave/devtools/styles.css'`.
export {}
