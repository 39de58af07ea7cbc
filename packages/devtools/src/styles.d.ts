// For `import '@interleave/devtools/styles.css'`, which TypeScript wants to find.
export {}
