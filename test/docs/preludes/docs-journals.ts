export declare const id: string
export declare function report(text: string): void
