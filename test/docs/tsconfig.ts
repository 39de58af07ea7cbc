/** The options of Vite's template for React and TypeScript, with the packages read from their sources. */
export const tsconfig = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node', 'vite/client'],
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    customConditions: ['@interleave/source'],
    allowImportingTsExtensions: true,
    allowJs: true,
    checkJs: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    noFallthroughCasesInSwitch: true,
    noUncheckedSideEffectImports: true,
    strict: true,
    skipLibCheck: true,
    jsx: 'react-jsx',
    noEmit: true,
  },
  include: ['*/*'],
}
