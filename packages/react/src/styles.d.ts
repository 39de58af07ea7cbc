// For `import '@interleave/react/styles.css'`, which TypeScript wants to find.
export {}
