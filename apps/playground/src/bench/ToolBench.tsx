export const ToolBench = () => null
